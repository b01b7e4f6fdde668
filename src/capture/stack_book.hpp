// stack_book.hpp: turns raw addresses of a process into frames (mapped file + ELF address), keeps each once,
// and names them at the end of a capture.
#pragma once
#include "capture/perf_map.hpp"
#include "capture/unwinder.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace prof {

// An executable region of an address space.
struct MappedRegion {
  std::uint64_t start = 0, end = 0;
  std::uint64_t file_offset = 0;
  std::string path{}; // "[vdso]", "//anon" or a file
};
// The executable regions of a /proc/PID/maps text. Damaged lines are skipped.
[[nodiscard]] std::vector<MappedRegion> parse_maps(std::string_view maps);

struct SymboliseResult {
  std::int64_t named = 0;         // addresses that got a function
  std::int64_t unnamed = 0;       // files without symbols, or addresses in none
  std::int64_t left = 0;          // not tried: time was over
  std::vector<Error> unread_maps; // files with names of generated code that were not used
};

class StackBook {
public:
  explicit StackBook(std::filesystem::path proc) : proc_(std::move(proc)) {}

  // Reads what is mapped now; later changes come through on_mapping.
  void load_process(std::int64_t pid);
  // What the first stacks need, before any is taken: it takes tens of milliseconds of a CPU.
  void prepare(std::span<const std::int64_t> pids);
  void on_mapping(std::int64_t pid, MappedRegion region);
  void on_exec(std::int64_t pid) { spaces_.erase(pid); }
  void on_fork(std::int64_t pid, std::int64_t parent);

  // The stack of a perf callchain (leaf first, with PERF_CONTEXT_* marks). Frames behind the first address
  // that lies in no executable file are dropped: without frame pointers they are noise. None when nothing is
  // left.
  // With a copy of the stack in `state` its user part is unwound by tables, and counts unless it breaks off
  // sooner.
  [[nodiscard]] Id<Callstack> callstack(std::int64_t pid, std::span<const std::uint64_t> chain,
                                        const UserState& state, std::int64_t now_ns, TraceSink& sink);
  // Function, file and line of every address used so far. Stops at `deadline_ns` (CLOCK_MONOTONIC) or when
  // `go_on` says no.
  SymboliseResult symbolise(std::int64_t deadline_ns,
                            const std::function<bool(std::size_t done, std::size_t all)>& go_on,
                            TraceSink& sink);
  // Stacks with one user frame only: the unwinder found no frame pointers there. Of `stacks` in all.
  [[nodiscard]] std::int64_t stack_count() const { return stacks_; }
  [[nodiscard]] std::int64_t leaf_only_count() const { return leaf_only_; }

private:
  struct Segment {
    std::uint64_t file_offset, size, address;
    bool is_code;
  };
  struct ElfInfo {
    std::string build_id;
    std::vector<Segment> segments;
    std::filesystem::path host_path;                         // as seen from here
    std::optional<PerfMapFile> perf_map;                     // of code that the process made, instead
    std::vector<std::pair<Id<Mapping>, std::uint64_t>> used; // addresses to name
  };
  struct Region {
    MappedRegion map;
    std::uint32_t file = 0;
    Id<Mapping> mapping{}; // none until first used
  };
  struct Space {
    std::map<std::uint64_t, Region> regions; // by end address
    std::unordered_map<std::uint64_t, Id<Frame>> frames;
    std::int64_t loaded_ns = 0;
    std::int64_t reload_pause_ns = 0; // longer each time that a look brought nothing
    bool has_new_modules = true;      // since the unwinder was told
    std::int64_t told_ns = 0;
  };
  struct KernelSymbol {
    std::uint64_t address;
    std::uint32_t name_at, name_size;
  };

  Region* find(Space& space, std::uint64_t address);
  Id<Frame> user_frame(std::int64_t pid, std::uint64_t address, bool is_leaf, std::int64_t now_ns,
                       TraceSink& sink);
  Id<Frame> kernel_frame(std::uint64_t address, TraceSink& sink);
  void add_user_frames(std::int64_t pid, std::span<const std::uint64_t> addresses, std::int64_t now_ns,
                       TraceSink& sink, std::vector<Id<Frame>>& frames);
  void tell_unwinder(std::int64_t pid, std::int64_t now_ns);
  // Looks again at what is mapped, for an address that lies in nothing known.
  void reload(std::int64_t pid, std::int64_t now_ns);
  // True when it reached the outermost frame.
  bool unwind(std::int64_t pid, const UserState& state, std::int64_t now_ns);
  std::uint32_t file_of(std::int64_t pid, const std::string& path);
  void find_names_of_made_code(std::int64_t pid, Region& region);
  void load_kernel_symbols();

  std::filesystem::path proc_;
  std::unordered_map<std::int64_t, Space> spaces_;
  std::deque<ElfInfo> files_;
  std::unordered_map<std::string, std::uint32_t> file_index_;
  std::unordered_map<std::uint64_t, Id<Frame>> kernel_frames_;
  std::vector<KernelSymbol> kernel_symbols_;
  std::string kernel_names_;
  bool is_kernel_loaded_ = false;
  Id<Mapping> kernel_mapping_;
  std::int64_t stacks_ = 0, leaf_only_ = 0;
  std::vector<Id<Frame>> scratch_, by_pointers_, by_tables_;
  Unwinder unwinder_;
  std::vector<std::uint64_t> user_chain_, unwound_;
};

} // namespace prof
