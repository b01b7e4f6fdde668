#include "capture/stack_book.hpp"

#include "base/clock.hpp"
#include "capture/low_priority.hpp"
#include "capture/procfs.hpp"
#include "symbols/symbols.hpp"

#include <algorithm>
#include <charconv>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <unistd.h>

namespace prof {
namespace {

// ns between two looks at the maps of one process: the kernel walks them under a lock that the target's own
// mmap wants.
constexpr std::int64_t kReloadPause = 500'000'000, kLongestReloadPause = 32'000'000'000;
constexpr std::size_t kMaxSegments = 64;
constexpr std::size_t kMaxKallsyms = std::size_t{64} << 20;

bool take_hex(std::string_view& text, std::uint64_t& value) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool skip_one(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// "7f..-7f.. r-xp 00001000 fe:00 1234   /usr/lib/x.so"
bool parse_map_line(std::string_view line, MappedRegion& region) {
  if (!take_hex(line, region.start) || !skip_one(line, '-') || !take_hex(line, region.end) ||
      !skip_one(line, ' '))
    return false;
  if (line.size() < 5 || line[2] != 'x') return false;
  line.remove_prefix(5);
  if (!take_hex(line, region.file_offset)) return false;
  for (int field = 0; field < 3; ++field) { // the rest of the offset's field, device, inode
    const auto space = line.find(' ');
    if (space == std::string_view::npos) {
      line = {};
      break;
    }
    line.remove_prefix(space + 1);
  }
  const auto path = line.find_first_not_of(' ');
  region.path = path == std::string_view::npos ? "//anon" : std::string(line.substr(path));
  return region.start < region.end;
}

template <class Header, class Program, class Segment>
void read_segments(int fd, std::vector<Segment>& segments) {
  Header header{};
  if (::pread(fd, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header)) return;
  if (header.e_phentsize != sizeof(Program)) return;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, kMaxSegments); ++i) {
    Program program{};
    const auto at = static_cast<off_t>(header.e_phoff + i * sizeof program);
    if (::pread(fd, &program, sizeof program, at) != static_cast<ssize_t>(sizeof program)) return;
    if (program.p_type == PT_LOAD)
      segments.push_back(
          {program.p_offset, program.p_filesz, program.p_vaddr, (program.p_flags & PF_X) != 0});
  }
}

} // namespace

std::vector<MappedRegion> parse_maps(std::string_view maps) {
  std::vector<MappedRegion> regions;
  while (!maps.empty()) {
    const auto line_end = std::min(maps.find('\n'), maps.size());
    MappedRegion region;
    if (parse_map_line(maps.substr(0, line_end), region)) regions.push_back(std::move(region));
    maps.remove_prefix(std::min(line_end + 1, maps.size()));
  }
  return regions;
}

void StackBook::load_process(std::int64_t pid) {
  hurry(); // the kernel walks the mappings under a lock
  const std::string maps = read_virtual_file(proc_ / std::to_string(pid) / "maps").value_or("");
  for (MappedRegion& region : parse_maps(maps))
    on_mapping(pid, std::move(region));
  spaces_[pid].loaded_ns = now_monotonic().ns;
}

// Most such addresses are noise (a frame pointer used for something else), and new mappings come by
// themselves.
void StackBook::reload(std::int64_t pid, std::int64_t now_ns) {
  Space& space = spaces_[pid];
  const bool had_new = std::exchange(space.has_new_modules, false);
  load_process(pid);
  space.loaded_ns = now_ns;
  space.reload_pause_ns =
      space.has_new_modules ? 0 : std::clamp(space.reload_pause_ns * 2, kReloadPause, kLongestReloadPause);
  space.has_new_modules = space.has_new_modules || had_new;
}

void StackBook::prepare(std::span<const std::int64_t> pids) {
  if (!is_kernel_loaded_) load_kernel_symbols();
  for (const std::int64_t pid : pids)
    tell_unwinder(pid, now_monotonic().ns);
}

void StackBook::on_mapping(std::int64_t pid, MappedRegion region) {
  if (region.start >= region.end) return;
  Space& space = spaces_[pid];
  auto it = space.regions.upper_bound(region.start);
  bool is_changed = false;
  while (it != space.regions.end() && it->second.map.start < region.end) {
    const MappedRegion& old = it->second.map;
    if (old.start == region.start && old.end == region.end && old.file_offset == region.file_offset &&
        old.path == region.path)
      return;
    it = space.regions.erase(it);
    is_changed = true;
  }
  if (is_changed) space.frames.clear();
  const std::uint64_t end = region.end;
  space.has_new_modules = true;
  space.regions.emplace(end, Region{.map = std::move(region)});
}

void StackBook::on_fork(std::int64_t pid, std::int64_t parent) {
  const auto found = spaces_.find(parent);
  if (found == spaces_.end() || pid == parent) return;
  Space copy = found->second;
  copy.has_new_modules = true;
  copy.told_ns = 0;
  spaces_[pid] = std::move(copy);
}

StackBook::Region* StackBook::find(Space& space, std::uint64_t address) {
  const auto it = space.regions.upper_bound(address);
  return it != space.regions.end() && it->second.map.start <= address ? &it->second : nullptr;
}

std::uint32_t StackBook::file_of(std::int64_t pid, const std::string& path) {
  if (const auto found = file_index_.find(path); found != file_index_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(files_.size());
  file_index_.emplace(path, number);
  ElfInfo& info = files_.emplace_back();
  if (!path.starts_with('/') || path.starts_with("//")) return number;
  // The target may live in a container: its own view of the file system comes first.
  info.host_path = proc_ / std::to_string(pid) / "root" / path.substr(1);
  int fd = ::open(info.host_path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    info.host_path = path;
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (fd < 0) return number;
  unsigned char ident[EI_NIDENT] = {};
  if (::pread(fd, ident, sizeof ident, 0) == EI_NIDENT && std::equal(ident, ident + SELFMAG, ELFMAG)) {
    if (ident[EI_CLASS] == ELFCLASS64)
      read_segments<Elf64_Ehdr, Elf64_Phdr>(fd, info.segments);
    else
      read_segments<Elf32_Ehdr, Elf32_Phdr>(fd, info.segments);
  }
  ::close(fd);
  if (!info.segments.empty()) info.build_id = read_build_id(info.host_path);
  // The process may be gone when symbols are wanted; outside a container the plain path stays good.
  if (info.host_path != path && std::filesystem::exists(path)) info.host_path = path;
  return number;
}

// Code that lies in no file: the mapping is then named, as perf does, after the file with its names, so that
// the code of two processes at one address is two things.
void StackBook::find_names_of_made_code(std::int64_t pid, Region& region) {
  if (!region.map.path.starts_with("//") && !region.map.path.starts_with("[anon")) return;
  auto names = find_perf_map(proc_, pid);
  if (!names) return;
  region.map.path = fmt::format("/tmp/perf-{}.map", pid);
  const auto [known, is_new] =
      file_index_.try_emplace(region.map.path, static_cast<std::uint32_t>(files_.size()));
  if (is_new) files_.emplace_back();
  files_[known->second].perf_map = std::move(names);
}

Id<Frame> StackBook::user_frame(std::int64_t pid, std::uint64_t address, bool is_leaf, std::int64_t now_ns,
                                TraceSink& sink) {
  Space& space = spaces_[pid];
  // A caller's address is the one to return to: the byte before belongs to the call.
  const std::uint64_t pc = is_leaf ? address : address - 1;
  if (const auto found = space.frames.find(pc); found != space.frames.end()) return found->second;
  Region* region = find(space, pc);
  if (region == nullptr && now_ns - space.loaded_ns > std::max(space.reload_pause_ns, kReloadPause)) {
    reload(pid, now_ns);
    region = find(space, pc);
  }
  if (region == nullptr) return {};
  if (!region->mapping) {
    find_names_of_made_code(pid, *region);
    region->file = file_of(pid, region->map.path);
    region->mapping = sink.mapping({.path = sink.intern(region->map.path),
                                    .build_id = sink.intern(files_[region->file].build_id),
                                    .start = region->map.start,
                                    .end = region->map.end,
                                    .file_offset = region->map.file_offset});
  }
  ElfInfo& file = files_[region->file];
  const std::uint64_t offset = pc - region->map.start + region->map.file_offset;
  Frame frame{.mapping = region->mapping, .rel_pc = offset};
  for (const Segment& segment : file.segments)
    if (offset >= segment.file_offset && offset - segment.file_offset < segment.size)
      frame.rel_pc = offset - segment.file_offset + segment.address;
  if (region->map.path == "[vdso]" || region->map.path == "[vsyscall]")
    frame.function = sink.intern(region->map.path);
  else if (file.segments.empty()) {
    frame.kind = FrameKind::jit;
    frame.rel_pc = pc;
    if (file.perf_map) file.used.emplace_back(region->mapping, pc);
  } else {
    file.used.emplace_back(region->mapping, frame.rel_pc);
  }
  const Id<Frame> id = sink.frame(frame);
  space.frames.emplace(pc, id);
  return id;
}

void StackBook::load_kernel_symbols() {
  is_kernel_loaded_ = true;
  const int fd = ::open((proc_ / "kallsyms").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  std::string content;
  std::vector<char> chunk(std::size_t{1} << 18);
  for (ssize_t got = 0; content.size() < kMaxKallsyms && (got = ::read(fd, chunk.data(), chunk.size())) > 0;)
    content.append(chunk.data(), static_cast<std::size_t>(got));
  ::close(fd);
  std::string_view rest = content;
  while (!rest.empty()) {
    const auto line_end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    std::uint64_t address = 0;
    if (!take_hex(line, address) || address == 0 || line.size() < 4) continue;
    const char kind = line[1];
    if (kind != 't' && kind != 'T' && kind != 'w' && kind != 'W') continue;
    const std::string_view name =
        line.substr(3, line.find('\t') == std::string_view::npos ? line.size() : line.find('\t') - 3);
    kernel_symbols_.push_back(
        {address, static_cast<std::uint32_t>(kernel_names_.size()), static_cast<std::uint32_t>(name.size())});
    kernel_names_ += name;
  }
  std::ranges::stable_sort(kernel_symbols_, {}, &KernelSymbol::address);
}

Id<Frame> StackBook::kernel_frame(std::uint64_t address, TraceSink& sink) {
  if (!is_kernel_loaded_) load_kernel_symbols();
  if (!kernel_mapping_) kernel_mapping_ = sink.mapping({.path = sink.intern("[kernel.kallsyms]")});
  Frame frame{.mapping = kernel_mapping_, .rel_pc = address, .kind = FrameKind::kernel};
  auto it = std::ranges::upper_bound(kernel_symbols_, address, {}, &KernelSymbol::address);
  std::string_view name;
  if (it != kernel_symbols_.begin()) {
    --it;
    // The start of the function stands for all of it: nobody reads kernel addresses, and stacks repeat more
    // often.
    frame.rel_pc = it->address;
    name = std::string_view(kernel_names_).substr(it->name_at, it->name_size);
  }
  if (const auto found = kernel_frames_.find(frame.rel_pc); found != kernel_frames_.end())
    return found->second;
  frame.function = sink.intern(name);
  const Id<Frame> id = sink.frame(frame);
  kernel_frames_.emplace(frame.rel_pc, id);
  return id;
}

// Up to the first address that lies in no executable file.
void StackBook::add_user_frames(std::int64_t pid, std::span<const std::uint64_t> addresses,
                                std::int64_t now_ns, TraceSink& sink, std::vector<Id<Frame>>& frames) {
  frames.clear();
  for (const std::uint64_t address : addresses) {
    const Id<Frame> frame =
        address == 0 ? Id<Frame>{} : user_frame(pid, address, frames.empty(), now_ns, sink);
    if (!frame) return;
    frames.push_back(frame);
  }
}

void StackBook::tell_unwinder(std::int64_t pid, std::int64_t now_ns) {
  Space& space = spaces_[pid];
  std::vector<UnwindModule> modules;
  std::uint32_t last = ~std::uint32_t{0};
  for (const auto& [end, region] : space.regions) {
    const std::uint32_t number = file_of(pid, region.map.path);
    const ElfInfo& file = files_[number];
    if (std::exchange(last, number) == number)
      continue; // the first executable region of a file says where it lies
    const MappedRegion& map = region.map;
    for (const Segment& segment : file.segments)
      if (segment.is_code && segment.file_offset < map.file_offset + (map.end - map.start) &&
          map.file_offset < segment.file_offset + segment.size)
        modules.push_back({.file = file.host_path,
                           .bias = map.start - (map.file_offset - segment.file_offset + segment.address)});
  }
  unwinder_.set_modules(pid, modules);
  space.has_new_modules = false;
  space.told_ns = now_ns;
}

bool StackBook::unwind(std::int64_t pid, const UserState& state, std::int64_t now_ns) {
  unwound_.clear();
  if (state.stack.empty()) return false;
  const Space& space = spaces_[pid];
  if ((space.has_new_modules || !unwinder_.knows(pid)) && now_ns - space.told_ns > kReloadPause)
    tell_unwinder(pid, now_ns);
  return unwinder_.unwind(pid, state, unwound_);
}

Id<Callstack> StackBook::callstack(std::int64_t pid, std::span<const std::uint64_t> chain,
                                   const UserState& state, std::int64_t now_ns, TraceSink& sink) {
  scratch_.clear();
  user_chain_.clear();
  bool is_kernel = false;
  for (const std::uint64_t address : chain) {
    if (address >= static_cast<std::uint64_t>(PERF_CONTEXT_MAX))
      is_kernel = address == static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL);
    else if (is_kernel)
      scratch_.push_back(kernel_frame(address, sink));
    else
      user_chain_.push_back(address);
  }
  add_user_frames(pid, user_chain_, now_ns, sink, by_pointers_);
  const bool is_whole = unwind(pid, state, now_ns);
  add_user_frames(pid, unwound_, now_ns, sink, by_tables_);
  const std::vector<Id<Frame>>& user =
      is_whole || by_tables_.size() > by_pointers_.size() ? by_tables_ : by_pointers_;
  scratch_.insert(scratch_.end(), user.begin(), user.end());
  if (scratch_.empty()) return {};
  ++stacks_;
  if (user.size() == 1) ++leaf_only_;
  std::ranges::reverse(scratch_);
  return sink.callstack({.frames = scratch_});
}

SymboliseResult StackBook::symbolise(std::int64_t deadline_ns,
                                     const std::function<bool(std::size_t, std::size_t)>& go_on,
                                     TraceSink& sink) {
  SymboliseResult result;
  std::size_t all = 0, done = 0;
  for (const ElfInfo& file : files_)
    all += file.used.size();
  bool is_over = false;
  for (ElfInfo& file : files_) {
    if (file.used.empty()) continue;
    std::ranges::sort(file.used, {}, [](const auto& use) { return use.second; });
    const bool is_made = file.perf_map.has_value();
    auto symbols = is_over || is_made ? Result<std::unique_ptr<SymbolFile>>(Error{})
                                      : SymbolFile::open(file.host_path, file.build_id);
    const auto made = is_over || !is_made ? Result<PerfMap>(Error{}) : PerfMap::read(*file.perf_map);
    if (!is_over && is_made && !made) result.unread_maps.push_back(made.error());
    std::uint64_t last = ~std::uint64_t{0};
    for (const auto& [mapping, address] : file.used) {
      ++done;
      is_over = is_over || clock_ns(CLOCK_MONOTONIC) > deadline_ns || (done % 16 == 0 && !go_on(done, all));
      if (is_over) {
        ++result.left;
        continue;
      }
      if (address == last) continue; // several processes map the file: the sink applies a name to all of them
      last = address;
      const auto frames = made      ? made->lookup(address)
                          : symbols ? (*symbols)->lookup(address)
                                    : std::vector<SymbolFrame>{};
      for (std::size_t depth = 0; depth < frames.size(); ++depth)
        sink.symbol(mapping, address, static_cast<int>(depth), sink.intern(frames[depth].function),
                    sink.intern(frames[depth].source_file), frames[depth].line);
      ++(frames.empty() ? result.unnamed : result.named);
    }
    file.used.clear();
  }
  return result;
}

} // namespace prof
