#include "symbols/elf_image.hpp"
#include "symbols/symbols.hpp"

#include <algorithm>
#include <array>
#include <capstone/capstone.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace prof {
namespace {

using detail::ElfImage;

constexpr std::uint64_t kUnsizedLimit = 4096;                // how far a symbol without a size may reach
constexpr int kMaxInline = 64;                               // inlined functions at one address
constexpr std::size_t kMaxUnitRanges = std::size_t{1} << 22; // a file may claim any number of them

struct Symbol {
  std::uint64_t start, end;
  std::string name; // mangled
};

// What a compilation unit covers, in addresses of the session; DWARF's own are less by the bias.
struct UnitRange {
  std::uint64_t start, end;
  Dwarf_Die* unit;
  std::uint64_t bias;
};

// libdwfl's session over one file: separate debug files, .gnu_debugdata and relocation are its business.
class DwflFile {
public:
  DwflFile() = default;
  DwflFile(DwflFile&& other) noexcept
      : dwfl_(std::exchange(other.dwfl_, nullptr)), module_(std::exchange(other.module_, nullptr)),
        bias_(other.bias_) {}
  DwflFile& operator=(DwflFile&& other) noexcept {
    std::swap(dwfl_, other.dwfl_);
    std::swap(module_, other.module_);
    bias_ = other.bias_;
    return *this;
  }
  DwflFile(const DwflFile&) = delete;
  DwflFile& operator=(const DwflFile&) = delete;
  ~DwflFile() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }

  bool open(const std::filesystem::path& path) {
    static char* debug_path = nullptr; // nullptr: libdwfl's default places
    static const Dwfl_Callbacks kCallbacks{.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = dwfl_offline_section_address,
                                           .debuginfo_path = &debug_path};
    dwfl_ = dwfl_begin(&kCallbacks);
    if (dwfl_ == nullptr) return false;
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_offline(dwfl_, path.filename().c_str(), path.c_str(), -1);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    return module_ != nullptr && dwfl_module_getelf(module_, &bias_) != nullptr;
  }
  [[nodiscard]] Dwfl_Module* module() const { return module_; }
  [[nodiscard]] std::uint64_t bias() const { return bias_; } // address in the session - ELF virtual address

private:
  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  GElf_Addr bias_ = 0;
};

class File final : public SymbolFile {
public:
  File(ElfImage image, DwflFile dwfl)
      : image_(std::move(image)), dwfl_(std::move(dwfl)), build_id_(image_.build_id()) {}
  std::vector<SymbolFrame> lookup(std::uint64_t address) override;
  Result<FunctionRange> function_at(std::uint64_t address) override;
  Result<std::vector<Instruction>> disassemble(std::uint64_t start, std::uint64_t end,
                                               std::size_t max_count) override;
  Result<std::uint64_t> address_of_offset(std::uint64_t file_offset) const override {
    return image_.address_of_offset(file_offset);
  }
  const std::string& build_id() const override { return build_id_; }

private:
  void load_symbols();
  [[nodiscard]] const Symbol* symbol_at(std::uint64_t address);
  void load_units();
  [[nodiscard]] Dwarf_Die* unit_at(std::uint64_t address, Dwarf_Addr& bias);
  [[nodiscard]] std::vector<SymbolFrame> inlined_at(std::uint64_t address);
  void line_at(std::uint64_t address, std::string& file, std::uint32_t& line);

  ElfImage image_;
  DwflFile dwfl_;
  std::string build_id_;
  std::vector<Symbol> symbols_;  // by start; made at first use
  std::vector<UnitRange> units_; // the same
  bool has_symbols_ = false, has_units_ = false;
  std::unordered_map<std::uint64_t, std::vector<SymbolFrame>> cache_;
};

void File::load_symbols() {
  if (std::exchange(has_symbols_, true) || dwfl_.module() == nullptr) return;
  const int count = dwfl_module_getsymtab(dwfl_.module());
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    const char* name =
        dwfl_module_getsym_info(dwfl_.module(), i, &symbol, &address, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || symbol.st_shndx == SHN_UNDEF) continue;
    if (type != STT_FUNC && type != STT_GNU_IFUNC) continue;
    const std::uint64_t start = address - dwfl_.bias();
    symbols_.push_back({start, start + symbol.st_size, name});
  }
  // Of several names at one place the sized one is the function, then the first by the alphabet: same input,
  // same name.
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
    return a.start != b.start ? a.start < b.start : a.end != b.end ? a.end > b.end : a.name < b.name;
  });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                             [](const Symbol& a, const Symbol& b) { return a.start == b.start; }),
                 symbols_.end());
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    if (symbols_[i].end > symbols_[i].start) continue;
    const std::uint64_t next =
        i + 1 < symbols_.size() ? symbols_[i + 1].start : symbols_[i].start + kUnsizedLimit;
    symbols_[i].end = std::min(next, symbols_[i].start + kUnsizedLimit);
  }
}

const Symbol* File::symbol_at(std::uint64_t address) {
  load_symbols();
  auto at = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                             [](std::uint64_t a, const Symbol& s) { return a < s.start; });
  // A sized symbol may hold another one (an entry point inside a function): step back a little to the one
  // around.
  for (int steps = 0; at != symbols_.begin() && steps < 8; ++steps) {
    --at;
    if (address < at->end) return &*at;
  }
  return nullptr;
}

void File::load_units() {
  if (std::exchange(has_units_, true)) return;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(dwfl_.module(), unit, &bias)) != nullptr;) {
    Dwarf_Addr base = 0, start = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0;)
      if (units_.size() < kMaxUnitRanges) units_.push_back({start + bias, end + bias, unit, bias});
  }
  std::ranges::stable_sort(units_, {}, &UnitRange::start);
}

// libdwfl looks into .debug_aranges, which clang does not write; then each unit's own ranges tell.
Dwarf_Die* File::unit_at(std::uint64_t address, Dwarf_Addr& bias) {
  if (dwfl_.module() == nullptr) return nullptr;
  address += dwfl_.bias();
  if (Dwarf_Die* unit = dwfl_module_addrdie(dwfl_.module(), address, &bias)) return unit;
  load_units();
  const auto next = std::ranges::upper_bound(units_, address, {}, &UnitRange::start);
  if (next == units_.begin() || address >= std::prev(next)->end) return nullptr;
  bias = std::prev(next)->bias;
  return std::prev(next)->unit;
}

void File::line_at(std::uint64_t address, std::string& file, std::uint32_t& line) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_at(address, bias);
  Dwarf_Line* found = unit == nullptr ? nullptr : dwarf_getsrc_die(unit, address + dwfl_.bias() - bias);
  if (found == nullptr) return;
  int number = 0;
  const char* name = dwarf_linesrc(found, nullptr, nullptr);
  if (name == nullptr || dwarf_lineno(found, &number) != 0) return;
  file = name;
  line = static_cast<std::uint32_t>(std::max(number, 0));
}

std::string die_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(die, name, &attribute) != nullptr)
      if (const char* text = dwarf_formstring(&attribute)) return demangle(text);
  const char* text = dwarf_diename(die);
  return text == nullptr ? std::string{} : std::string(text);
}

// Where an inlined function was called from.
void call_site(Dwarf_Die* cu, Dwarf_Die* inlined, std::string& file, std::uint32_t& line) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0)
    line = static_cast<std::uint32_t>(number);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) != 0) return;
  if (dwarf_getsrcfiles(cu, &files, &count) != 0 || number >= count) return;
  if (const char* name = dwarf_filesrc(files, number, nullptr, nullptr)) file = name;
}

// The functions at an address by DWARF, outermost first; empty without debug information.
std::vector<SymbolFrame> File::inlined_at(std::uint64_t address) {
  std::vector<SymbolFrame> frames;
  Dwarf_Addr bias = 0;
  Dwarf_Die* cu = unit_at(address, bias);
  if (cu == nullptr) return frames;
  Dwarf_Die* found = nullptr;
  if (dwarf_getscopes(cu, address + dwfl_.bias() - bias, &found) <= 0) return frames;
  const std::unique_ptr<Dwarf_Die, decltype(&std::free)> found_guard(found, &std::free);
  // dwarf_getscopes continues at the definition of an inlined function; its own parents are the callers.
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&found[0], &scopes);
  if (count <= 0) return frames;
  const std::unique_ptr<Dwarf_Die, decltype(&std::free)> guard(scopes, &std::free);
  std::string file;
  std::uint32_t line = 0;
  line_at(address, file, line);
  for (int i = 0; i < count && std::ssize(frames) < kMaxInline; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    frames.push_back({die_name(&scopes[i]), file, line});
    if (tag == DW_TAG_subprogram) break;
    file.clear();
    line = 0;
    call_site(cu, &scopes[i], file, line);
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

std::vector<SymbolFrame> File::lookup(std::uint64_t address) {
  if (const auto at = cache_.find(address); at != cache_.end()) return at->second;
  std::vector<SymbolFrame> frames = inlined_at(address);
  const Symbol* symbol = symbol_at(address);
  if (frames.empty() && symbol != nullptr) {
    frames.emplace_back();
    line_at(address, frames.back().source_file, frames.back().line);
  }
  // The symbol table's name is the full one (clones, namespaces); DWARF gives what was inlined into it.
  if (!frames.empty() && symbol != nullptr) frames.front().function = demangle(symbol->name);
  std::erase_if(frames, [](const SymbolFrame& frame) { return frame.function.empty(); });
  return cache_.emplace(address, std::move(frames)).first->second;
}

Result<FunctionRange> File::function_at(std::uint64_t address) {
  const Symbol* symbol = symbol_at(address);
  if (symbol == nullptr) return Error{Errc::not_found, fmt::format("no function at {:#x}", address), {}};
  return FunctionRange{demangle(symbol->name), symbol->start, symbol->end};
}

// --- disassembly
// --------------------------------------------------------------------------------------------------

class Disassembler {
public:
  explicit Disassembler(std::uint16_t machine) {
    if (machine == EM_X86_64) is_open_ = cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) == CS_ERR_OK;
    if (machine == EM_AARCH64)
      is_open_ = cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle_) == CS_ERR_OK;
    step_ = machine == EM_AARCH64 ? 4 : 1;
    if (is_open_) instruction_ = cs_malloc(handle_);
  }
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;
  ~Disassembler() {
    if (instruction_ != nullptr) cs_free(instruction_, 1);
    if (is_open_) cs_close(&handle_);
  }
  [[nodiscard]] bool is_open() const { return is_open_; }

  // The instruction at the front of `code`, which moves past it. Bytes that are none come out as data.
  Instruction next(std::string_view& code, std::uint64_t& address) {
    Instruction out;
    out.address = address;
    const auto* at = reinterpret_cast<const std::uint8_t*>(code.data());
    std::size_t left = code.size();
    if (cs_disasm_iter(handle_, &at, &left, &address, instruction_)) {
      out.text = instruction_->mnemonic;
      if (instruction_->op_str[0] != '\0') out.text.append(" ").append(instruction_->op_str);
    } else {
      left = code.size() - std::min(step_, code.size());
      address = out.address + (code.size() - left);
      out.text = ".byte";
    }
    for (const char c : code.substr(0, code.size() - left))
      out.bytes += fmt::format("{:02x}", static_cast<unsigned char>(c));
    if (out.text == ".byte") out.text += " 0x" + out.bytes;
    code.remove_prefix(code.size() - left);
    return out;
  }

private:
  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
  std::size_t step_ = 1;
  bool is_open_ = false;
};

Result<std::vector<Instruction>> File::disassemble(std::uint64_t start, std::uint64_t end,
                                                   std::size_t max_count) {
  Disassembler disassembler(image_.machine());
  if (!disassembler.is_open())
    return Error{Errc::unsupported, fmt::format("no disassembler for ELF machine {}", image_.machine()), {}};
  std::string_view code = image_.code(start, end);
  if (code.empty()) return Error{Errc::missing, fmt::format("the file has no code at {:#x}", start), {}};
  std::vector<Instruction> out;
  std::uint64_t address = start;
  while (!code.empty() && out.size() < max_count) {
    out.push_back(disassembler.next(code, address));
    line_at(out.back().address, out.back().source_file, out.back().line);
  }
  return out;
}

} // namespace

Result<std::unique_ptr<SymbolFile>> SymbolFile::open(const std::filesystem::path& path,
                                                     std::string_view build_id) {
  PROF_TRY(auto image, ElfImage::open(path));
  if (!build_id.empty())
    if (const std::string own = image.build_id(); own != build_id)
      return Error{Errc::bad_argument,
                   fmt::format("build id is {}, the trace has {}", own.empty() ? "missing" : own, build_id),
                   path.string()};
  DwflFile dwfl;
  if (!dwfl.open(path)) dwfl = DwflFile{}; // disassembly and offsets work without
  return std::unique_ptr<SymbolFile>(std::make_unique<File>(std::move(image), std::move(dwfl)));
}

std::string read_build_id(const std::filesystem::path& path) {
  const auto image = detail::ElfImage::open(path);
  return image ? image->build_id() : std::string{};
}

} // namespace prof
