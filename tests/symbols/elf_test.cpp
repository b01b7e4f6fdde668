// ELF files from strangers: without symbols, stripped, cut, and with tables that lie.
#include "elf_maker.hpp"
#include "symbols/symbols.hpp"

#include "base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

using test::ElfMaker;
using test::patch;
using testing::HasSubstr;

constexpr std::size_t kHeader = 0, kSegment = sizeof(Elf64_Ehdr);

class Elf : public testing::Test {
protected:
  Elf() : folder_(std::filesystem::temp_directory_path() / ("prof_elf_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Elf() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "file"; }
  Result<std::unique_ptr<SymbolFile>> open(const std::string& bytes, std::string_view build_id = {}) {
    EXPECT_TRUE(write_file(path(), bytes).ok());
    return SymbolFile::open(path(), build_id);
  }
  // Every question there is, for files where only the end matters.
  void ask_everything(const std::string& bytes) {
    auto file = open(bytes);
    if (!file) return;
    for (const std::uint64_t address :
         {std::uint64_t{0}, std::uint64_t{0x1000}, std::uint64_t{0x1004}, ~std::uint64_t{0}}) {
      static_cast<void>((*file)->lookup(address));
      static_cast<void>((*file)->function_at(address));
      static_cast<void>((*file)->disassemble(address, address + 64, 16));
      static_cast<void>((*file)->disassemble(address, ~std::uint64_t{0}, 16));
      static_cast<void>((*file)->address_of_offset(address));
    }
  }
  std::filesystem::path folder_;
};

// nop; nop; ret; then two bytes that begin no instruction.
const std::string kCode("\x90\x90\xc3\x06\x06", 5);

ElfMaker plain() {
  ElfMaker maker;
  maker.code = kCode;
  maker.symbols = {{"_Z3addii", 0x1000, 3}};
  maker.build_id = std::string("\x01\x23\xab\xcd", 4);
  return maker;
}

TEST_F(Elf, made_by_hand_is_read_as_made) {
  auto file = open(plain().make(), "0123abcd");
  ASSERT_TRUE(file.ok()) << file.error().what;
  EXPECT_EQ((*file)->build_id(), "0123abcd");
  const auto range = (*file)->function_at(0x1002);
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(range->function, "add(int, int)");
  EXPECT_EQ(range->start, 0x1000U);
  EXPECT_EQ(range->end, 0x1003U);
  const auto frames = (*file)->lookup(0x1001);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "add(int, int)");
  EXPECT_EQ(frames[0].line, 0U);
  const std::uint64_t code_offset = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
  EXPECT_EQ(*(*file)->address_of_offset(code_offset + 2), 0x1002U);
  EXPECT_FALSE((*file)->address_of_offset(0).ok());
  EXPECT_FALSE((*file)->address_of_offset(code_offset + kCode.size()).ok());
}

TEST_F(Elf, code_is_disassembled_and_bytes_that_are_none_are_data) {
  auto file = open(plain().make());
  ASSERT_TRUE(file.ok());
  const auto code = (*file)->disassemble(0x1000, 0x1005, 100);
  ASSERT_TRUE(code.ok());
  std::vector<std::string> lines;
  for (const Instruction& i : *code)
    lines.push_back(i.bytes + " " + i.text);
  EXPECT_EQ(lines,
            (std::vector<std::string>{"90 nop", "90 nop", "c3 ret", "06 .byte 0x06", "06 .byte 0x06"}));
  EXPECT_TRUE((*file)->disassemble(0x1000, 0x1005, 0)->empty());
  EXPECT_EQ((*file)->disassemble(0x1004, 0x9999, 100)->size(), 1U);
  EXPECT_EQ((*file)->disassemble(0x1005, 0x1006, 100).error().code, Errc::missing);
  EXPECT_EQ((*file)->disassemble(0x1003, 0x1003, 100).error().code, Errc::missing);
  EXPECT_EQ((*file)->disassemble(0x1003, 0x1000, 100).error().code, Errc::missing);
}

TEST_F(Elf, arm_code_is_disassembled_in_words_of_four) {
  ElfMaker maker;
  maker.machine = EM_AARCH64;
  maker.code = std::string("\x1f\x20\x03\xd5\xc0\x03\x5f\xd6\xff\xff\xff\xff\x00", 13);
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  const auto code = (*file)->disassemble(0x1000, 0x100d, 100);
  ASSERT_TRUE(code.ok());
  ASSERT_EQ(code->size(), 4U);
  EXPECT_EQ((*code)[0].text, "nop");
  EXPECT_EQ((*code)[1].text, "ret");
  EXPECT_EQ((*code)[2].text, ".byte 0xffffffff");
  EXPECT_EQ((*code)[3].text, ".byte 0x00");
}

TEST_F(Elf, machine_without_a_disassembler_is_named) {
  ElfMaker maker = plain();
  maker.machine = EM_S390;
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  const auto code = (*file)->disassemble(0x1000, 0x1003, 10);
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().code, Errc::unsupported);
  EXPECT_THAT(code.error().what, HasSubstr("22"));
  EXPECT_TRUE((*file)->function_at(0x1000).ok());
}

TEST_F(Elf, without_symbols_there_are_no_names_but_code) {
  ElfMaker maker = plain();
  maker.symbols.clear();
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->lookup(0x1000).empty());
  EXPECT_EQ((*file)->function_at(0x1000).error().code, Errc::not_found);
  EXPECT_EQ((*file)->disassemble(0x1000, 0x1003, 10)->size(), 3U);
}

TEST_F(Elf, without_a_section_table_code_is_found_by_its_segment) {
  std::string bytes = plain().make();
  patch(bytes, kHeader + offsetof(Elf64_Ehdr, e_shoff), std::uint64_t{0});
  patch(bytes, kHeader + offsetof(Elf64_Ehdr, e_shnum), std::uint16_t{0});
  patch(bytes, kHeader + offsetof(Elf64_Ehdr, e_shstrndx), std::uint16_t{0});
  auto file = open(bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->lookup(0x1000).empty());
  EXPECT_EQ((*file)->disassemble(0x1000, 0x1003, 10)->size(), 3U);
}

TEST_F(Elf, build_id_that_differs_or_is_missing_is_refused_with_both) {
  auto other = open(plain().make(), "ffff");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, Errc::bad_argument);
  EXPECT_EQ(other.error().what, "build id is 0123abcd, the trace has ffff");
  ElfMaker without = plain();
  without.build_id.clear();
  auto missing = open(without.make(), "ffff");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().what, "build id is missing, the trace has ffff");
  EXPECT_TRUE(open(without.make()).ok());
  EXPECT_EQ(read_build_id(path()), "");
}

TEST_F(Elf, build_id_of_any_length_is_cut_at_64_bytes) {
  ElfMaker maker = plain();
  maker.build_id = std::string(1000, '\xee');
  ASSERT_TRUE(write_file(path(), maker.make()).ok());
  EXPECT_EQ(read_build_id(path()).size(), 128U);
}

TEST_F(Elf, symbol_without_a_size_reaches_to_the_next_but_not_far) {
  ElfMaker maker = plain();
  maker.code = std::string(0x3000, '\x90');
  maker.symbols = {{"first", 0x1000, 0}, {"second", 0x1010, 0}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->function_at(0x100f)->function, "first");
  EXPECT_EQ((*file)->function_at(0x1010)->function, "second");
  EXPECT_EQ((*file)->function_at(0x1010)->end, 0x1010U + 4096);
  EXPECT_FALSE((*file)->function_at(0x1010 + 4096).ok());
}

TEST_F(Elf, symbol_inside_another_gives_way_behind_its_end) {
  ElfMaker maker = plain();
  maker.code = std::string(0x100, '\x90');
  maker.symbols = {{"around", 0x1000, 0x100}, {"entry", 0x1010, 0x10}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->function_at(0x100f)->function, "around");
  EXPECT_EQ((*file)->function_at(0x101f)->function, "entry");
  EXPECT_EQ((*file)->function_at(0x1020)->function, "around");
}

TEST_F(Elf, of_several_names_at_one_place_the_sized_then_the_first_is_taken) {
  ElfMaker maker = plain();
  maker.symbols = {{"zebra", 0x1000, 3}, {"unsized", 0x1000, 0}, {"aardvark", 0x1000, 3}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->function_at(0x1000)->function, "aardvark");
}

TEST_F(Elf, data_and_undefined_symbols_are_no_functions) {
  ElfMaker maker = plain();
  maker.symbols = {
      {"data", 0x1000, 3, STT_OBJECT}, {"elsewhere", 0x1000, 3, STT_FUNC, SHN_UNDEF}, {"", 0x1000, 3}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE((*file)->function_at(0x1000).ok());
}

TEST_F(Elf, symbols_at_the_end_of_the_address_space_do_not_wrap) {
  ElfMaker maker = plain();
  maker.symbols = {
      {"sized", ~std::uint64_t{0} - 16, 4096}, {"unsized", ~std::uint64_t{0} - 8, 0}, {"add", 0x1000, 3}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->function_at(0x1000)->function, "add");
  EXPECT_FALSE((*file)->function_at(0x10).ok());
}

TEST_F(Elf, hostile_name_of_a_symbol_is_given_as_it_is) {
  ElfMaker maker = plain();
  maker.symbols = {{std::string(100'000, 'a'), 0x1000, 3}};
  auto file = open(maker.make());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->function_at(0x1000)->function.size(), 100'000U);
}

TEST_F(Elf, segments_that_lie_about_the_file_give_what_is_there) {
  const std::string whole = plain().make();
  struct Lie {
    std::size_t field;
    std::uint64_t value;
  };
  for (const Lie lie :
       {Lie{offsetof(Elf64_Phdr, p_offset), ~std::uint64_t{0}},
        Lie{offsetof(Elf64_Phdr, p_offset), std::uint64_t{1} << 40},
        Lie{offsetof(Elf64_Phdr, p_filesz), ~std::uint64_t{0}},
        Lie{offsetof(Elf64_Phdr, p_filesz), std::uint64_t{1} << 62}, Lie{offsetof(Elf64_Phdr, p_filesz), 0},
        Lie{offsetof(Elf64_Phdr, p_vaddr), ~std::uint64_t{0}},
        Lie{offsetof(Elf64_Phdr, p_vaddr), ~std::uint64_t{0} - 2}}) {
    std::string bytes = whole;
    patch(bytes, kSegment + lie.field, lie.value);
    ask_everything(bytes);
  }
  std::string bytes = whole;
  patch(bytes, kSegment + offsetof(Elf64_Phdr, p_filesz), std::uint64_t{1} << 40);
  auto file = open(bytes);
  ASSERT_TRUE(file.ok());
  const auto code = (*file)->disassemble(0x1000, 0x100000, 3);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code->size(), 3U);
}

TEST_F(Elf, header_fields_of_any_value_end_in_an_answer) {
  const std::string whole = plain().make();
  for (std::size_t at = 4; at < sizeof(Elf64_Ehdr); ++at)
    for (const char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = value;
      ask_everything(bytes);
    }
}

TEST_F(Elf, every_byte_of_the_tables_may_be_wrong) {
  const std::string whole = plain().make();
  for (std::size_t at = sizeof(Elf64_Ehdr); at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ '\xff');
    ask_everything(bytes);
  }
}

TEST_F(Elf, cut_at_any_byte_ends_in_an_answer) {
  const std::string whole = plain().make();
  for (std::size_t size = 0; size < whole.size(); ++size)
    ask_everything(whole.substr(0, size));
  EXPECT_EQ(open(whole.substr(0, 63)).error().code, Errc::malformed);
  EXPECT_EQ(open("").error().code, Errc::malformed);
}

TEST_F(Elf, thirty_two_bit_and_big_endian_headers_are_read_or_refused) {
  std::string narrow = plain().make(), swapped = narrow;
  narrow[EI_CLASS] = ELFCLASS32;
  swapped[EI_DATA] = ELFDATA2MSB;
  ask_everything(narrow);
  ask_everything(swapped);
}

TEST_F(Elf, file_that_is_deleted_after_opening_still_answers) {
  auto file = open(plain().make());
  ASSERT_TRUE(file.ok());
  std::filesystem::remove(path());
  EXPECT_EQ((*file)->function_at(0x1000)->function, "add(int, int)");
  EXPECT_EQ((*file)->disassemble(0x1000, 0x1003, 10)->size(), 3U);
  const auto again = SymbolFile::open(path());
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, Errc::missing);
  EXPECT_EQ(SymbolFile::open(path().string() + " (deleted)").error().code, Errc::missing);
}

TEST_F(Elf, file_that_another_one_replaced_is_told_by_its_build_id) {
  ASSERT_TRUE(open(plain().make(), "0123abcd").ok());
  ElfMaker newer = plain();
  newer.build_id = std::string("\x99\x99\x99\x99", 4);
  EXPECT_FALSE(open(newer.make(), "0123abcd").ok());
}

// Opening a pipe for reading waits for a writer that never comes.
TEST_F(Elf, pipes_devices_and_folders_are_refused_at_once) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::filesystem::path& path : {folder_ / "pipe", std::filesystem::path("/dev/null"), folder_}) {
    const auto file = SymbolFile::open(path);
    ASSERT_FALSE(file.ok()) << path;
    EXPECT_EQ(file.error().code, Errc::malformed) << path;
    EXPECT_EQ(read_build_id(path), "");
  }
}

// --- line tables of this very program, with headers that lie

struct Section {
  std::size_t offset = 0, size = 0;
};

Section section(const std::string& file, std::string_view name) {
  Elf64_Ehdr header{};
  std::memcpy(&header, file.data(), sizeof(header));
  const auto at = [&](std::size_t index) {
    Elf64_Shdr s{};
    std::memcpy(&s, file.data() + header.e_shoff + index * sizeof(s), sizeof(s));
    return s;
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i)
    if (name == file.data() + names.sh_offset + at(i).sh_name) return {at(i).sh_offset, at(i).sh_size};
  return {};
}

class DebugData : public Elf {
protected:
  void SetUp() override {
    auto self = read_file("/proc/self/exe", std::int64_t{1} << 28);
    ASSERT_TRUE(self.ok());
    whole_ = *std::move(self);
    Elf64_Sym symbol{};
    const Section table = section(whole_, ".symtab");
    if (table.size == 0 || section(whole_, ".debug_line").size == 0)
      GTEST_SKIP() << "built without debug data";
    // Any function will do: the answer is not looked at.
    for (std::size_t at = 0; at + sizeof(symbol) <= table.size && address_ == 0; at += sizeof(symbol)) {
      std::memcpy(&symbol, whole_.data() + table.offset + at, sizeof(symbol));
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size > 16) address_ = symbol.st_value;
    }
  }
  void ask(const std::string& bytes) {
    auto file = open(bytes);
    if (!file) return;
    for (std::uint64_t offset = 0; offset < 8; ++offset)
      static_cast<void>((*file)->lookup(address_ + offset));
    static_cast<void>((*file)->disassemble(address_, address_ + 32, 8));
  }
  std::string whole_;
  std::uint64_t address_ = 0;
};

TEST_F(DebugData, line_tables_of_any_length_end_in_an_answer) {
  const Section lines = section(whole_, ".debug_line");
  // unit_length, then version, address and segment sizes, header_length, instruction sizes, line_base,
  // line_range (a divisor) and opcode_base of the first table.
  for (std::size_t field = 0; field < 24; ++field)
    for (const char value : {'\x00', '\xff', '\x80'}) {
      std::string bytes = whole_;
      bytes[lines.offset + field] = value;
      ask(bytes);
    }
  for (const std::uint32_t length : {0xffffffffU, 0xfffffff0U, 0x7fffffffU, 1U, 0U}) {
    std::string bytes = whole_;
    patch(bytes, lines.offset, length);
    ask(bytes);
  }
}

TEST_F(DebugData, sections_full_of_noise_end_in_an_answer) {
  for (const char* name :
       {".debug_line", ".debug_info", ".debug_abbrev", ".debug_str", ".debug_ranges", ".debug_rnglists",
        ".debug_aranges", ".debug_addr", ".debug_line_str", ".eh_frame"}) {
    const Section s = section(whole_, name);
    for (const unsigned step : {1U, 7U}) {
      std::string bytes = whole_;
      for (std::size_t i = 0; i < s.size; i += step)
        bytes[s.offset + i] = static_cast<char>(i * 31 + 0x80);
      ask(bytes);
    }
  }
}

TEST_F(DebugData, stripped_of_its_debug_sections_the_symbols_remain) {
  std::string bytes = whole_;
  for (const char* name : {".debug_line", ".debug_info", ".debug_abbrev", ".debug_aranges"}) {
    const Section s = section(whole_, name);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(s.offset), s.size, '\0');
  }
  auto file = open(bytes);
  ASSERT_TRUE(file.ok());
  const auto frames = (*file)->lookup(address_);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].source_file, "");
  EXPECT_EQ(frames[0].function, (*file)->function_at(address_)->function);
}

} // namespace
} // namespace prof
