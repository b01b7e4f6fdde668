#include "capture/unwinder.hpp"

#include <cstring>
#include <elfutils/libdwfl.h>

namespace prof {
namespace {

constexpr std::size_t kMaxFrames = 64; // as many as the kernel is asked for
constexpr pid_t kThread = 1;           // every sample is unwound as the one thread of its process

// In the order of the DWARF register numbers of x86-64: ax dx cx bx si di bp sp, r8-r15, ip.
constexpr std::array<std::size_t, kUnwindRegisterCount> kPerfIndex{0,  3,  2,  1,  4,  5,  6,  7, 9,
                                                                   10, 11, 12, 13, 14, 15, 16, 8};
constexpr std::size_t kStackPointer = 7;

struct Sampled {
  std::array<Dwarf_Word, kUnwindRegisterCount> registers{};
  std::span<const std::byte> stack;
  std::vector<std::uint64_t>* out = nullptr;
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
  const auto& sampled = *static_cast<const Sampled*>(argument);
  const std::uint64_t at = address - sampled.registers[kStackPointer];
  if (at > sampled.stack.size() || sampled.stack.size() - at < sizeof *result) return false;
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

} // namespace

struct Unwinder::Space {
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl{nullptr, dwfl_end};
  Sampled sampled; // what the callbacks see; its address is given to libdw once
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
  spaces_[pid] = std::move(space);
}

bool Unwinder::unwind(std::int64_t pid, const UserState& state, std::vector<std::uint64_t>& out) {
  out.clear();
  const auto found = spaces_.find(pid);
  if (found == spaces_.end() || !found->second->dwfl || state.registers.size() != kUnwindRegisterCount)
    return false;
  Space& space = *found->second;
  for (std::size_t i = 0; i < kUnwindRegisterCount; ++i)
    space.sampled.registers[i] = state.registers[kPerfIndex[i]];
  space.sampled.stack = state.stack;
  space.sampled.out = &out;
  return dwfl_getthread_frames(space.dwfl.get(), kThread, on_frame, &space.sampled) == 0;
}

} // namespace prof
