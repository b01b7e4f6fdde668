#include "capture/unwinder.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <elfutils/libdwfl.h>
#include <utility>

namespace prof {
namespace {

constexpr std::size_t kMaxFrames = 64;    // as many as the kernel is asked for
constexpr std::size_t kMaxProcesses = 64; // a process has some forty files
constexpr std::uint64_t kLargestFrame = std::uint64_t{1} << 20;
constexpr pid_t kThread = 1; // every sample is unwound as the one thread of its process

// In the order of the DWARF register numbers of x86-64: ax dx cx bx si di bp sp, r8-r15, ip.
constexpr std::array<std::size_t, kUnwindRegisterCount> kPerfIndex{0,  3,  2,  1,  4,  5,  6,  7, 9,
                                                                   10, 11, 12, 13, 14, 15, 16, 8};
constexpr std::size_t kFramePointer = 6, kStackPointer = 7, kInstruction = 16;

struct Sampled {
  std::array<Dwarf_Word, kUnwindRegisterCount> registers{};
  std::span<const std::byte> stack;
  std::vector<std::uint64_t>* out = nullptr;
  bool is_cut = false;  // a frame lies beyond what was copied of the stack
  bool is_lost = false; // a frame lies where no stack is
};

pid_t next_thread(Dwfl*, void* sampled, void** thread) {
  if (*thread != nullptr) return 0;
  *thread = sampled;
  return kThread;
}

bool get_thread(Dwfl*, pid_t, void* sampled, void** thread) {
  *thread = sampled;
  return true;
}

bool read_stack(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
  auto& sampled = *static_cast<Sampled*>(argument);
  const std::uint64_t at = address - sampled.registers[kStackPointer];
  if (at > sampled.stack.size() || sampled.stack.size() - at < sizeof *result) {
    (at < kLargestFrame ? sampled.is_cut : sampled.is_lost) = true;
    return false;
  }
  std::memcpy(result, sampled.stack.data() + at, sizeof *result);
  return true;
}

bool set_registers(Dwfl_Thread* thread, void* argument) {
  const auto& sampled = *static_cast<const Sampled*>(argument);
  return dwfl_thread_state_registers(thread, 0, kUnwindRegisterCount, sampled.registers.data());
}

int on_frame(Dwfl_Frame* frame, void* argument) {
  auto& out = *static_cast<Sampled*>(argument)->out;
  Dwarf_Addr pc = 0;
  if (!dwfl_frame_pc(frame, &pc, nullptr)) return DWARF_CB_ABORT;
  out.push_back(pc);
  return out.size() < kMaxFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
}

// False when it ended where neither a table nor the length of the copy says so.
bool walk(Dwfl* dwfl, Sampled& sampled) {
  sampled.is_cut = sampled.is_lost = false;
  return dwfl_getthread_frames(dwfl, kThread, on_frame, &sampled) == 0 && !sampled.is_lost;
}

// Unwind tables are part of the mapped file; separate debug files are never looked for, least of all in the
// network.
int no_elf(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) {
  return -1;
}
int no_debug_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                  char**) {
  return -1;
}

constexpr Dwfl_Callbacks kCallbacks{.find_elf = no_elf,
                                    .find_debuginfo = no_debug_file,
                                    .section_address = dwfl_offline_section_address,
                                    .debuginfo_path = nullptr};
constexpr Dwfl_Thread_Callbacks kThreadCallbacks{.next_thread = next_thread,
                                                 .get_thread = get_thread,
                                                 .memory_read = read_stack,
                                                 .set_initial_registers = set_registers,
                                                 .detach = nullptr,
                                                 .thread_detach = nullptr};

// Whether the function at an address says how to unwind it.
bool has_table(Dwfl* dwfl, std::uint64_t address) {
  Dwfl_Module* module = dwfl_addrmodule(dwfl, address);
  Dwarf_Addr bias = 0;
  Dwarf_CFI* table = module == nullptr ? nullptr : dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* frame = nullptr;
  const bool is_found = table != nullptr && dwarf_cfi_addrframe(table, address - bias, &frame) == 0;
  std::free(frame); // libdw's, from malloc
  return is_found;
}

} // namespace

struct Unwinder::Space {
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl{nullptr, dwfl_end};
  Sampled sampled; // what the callbacks see; its address is given to libdw once
  std::int64_t last_use = 0;
};

Unwinder::Unwinder() = default;
Unwinder::~Unwinder() = default;

void Unwinder::set_modules(std::int64_t pid, std::span<const UnwindModule> modules) {
  auto space = std::make_unique<Space>();
  space->dwfl.reset(dwfl_begin(&kCallbacks));
  Dwfl* dwfl = space->dwfl.get();
  if (dwfl == nullptr) return;
  dwfl_report_begin(dwfl);
  for (const UnwindModule& module : modules) // one that cannot be opened has no frames to find
    (void)dwfl_report_elf(dwfl, module.file.c_str(), module.file.c_str(), -1, module.bias, true);
  dwfl_report_end(dwfl, nullptr, nullptr);
  if (!dwfl_attach_state(dwfl, nullptr, kThread, &kThreadCallbacks, &space->sampled)) space->dwfl.reset();
  if (spaces_.size() >= kMaxProcesses && !spaces_.contains(pid))
    spaces_.erase(
        std::ranges::min_element(spaces_, {}, [](const auto& entry) { return entry.second->last_use; }));
  space->last_use = ++uses_;
  spaces_[pid] = std::move(space);
}

bool Unwinder::unwind(std::int64_t pid, const UserState& state, std::vector<std::uint64_t>& out) {
  out.clear();
  const auto found = spaces_.find(pid);
  if (found == spaces_.end() || !found->second->dwfl || state.registers.size() != kUnwindRegisterCount)
    return false;
  Space& space = *found->second;
  space.last_use = ++uses_;
  for (std::size_t i = 0; i < kUnwindRegisterCount; ++i)
    space.sampled.registers[i] = state.registers[kPerfIndex[i]];
  space.sampled.stack = state.stack;
  space.sampled.out = &out;
  if (!has_table(space.dwfl.get(), space.sampled.registers[kInstruction]))
    return unwind_above_leaf(space, out);
  return walk(space.dwfl.get(), space.sampled) && !space.sampled.is_cut;
}

// The leaf is assembly without a table (the engine's matrix kernels). Such code pushes the registers that it
// must keep, the frame pointer first, so that its return address is one of the first words on the stack that
// lie in code, and the word below is the frame pointer. Taken only when the rest then unwinds as far as
// the stack was copied.
bool Unwinder::unwind_above_leaf(Space& space, std::vector<std::uint64_t>& out) {
  constexpr std::size_t kWords = 64;
  const Sampled leaf = space.sampled;
  const std::uint64_t pc = leaf.registers[kInstruction];
  std::uint64_t below = leaf.registers[kFramePointer];
  for (std::size_t i = 0; i < std::min(kWords, leaf.stack.size() / 8); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, leaf.stack.data() + i * 8, sizeof word);
    const std::uint64_t frame_pointer = std::exchange(below, word);
    if (!has_table(space.dwfl.get(), word - 1)) continue;
    space.sampled.registers[kInstruction] = word;
    space.sampled.registers[kFramePointer] = frame_pointer;
    space.sampled.registers[kStackPointer] = leaf.registers[kStackPointer] + (i + 1) * 8;
    space.sampled.stack = leaf.stack.subspan((i + 1) * 8);
    out.assign(1, pc);
    if (walk(space.dwfl.get(), space.sampled)) return !space.sampled.is_cut;
  }
  out.assign(1, pc);
  return false;
}

} // namespace prof
