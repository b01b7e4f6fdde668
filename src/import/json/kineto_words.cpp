#include "import/json/kineto_words.hpp"

#include <array>
#include <utility>

namespace prof::json {
namespace {

constexpr std::array<std::pair<std::string_view, Role>, 22> kRoles{{
    {"cpu_op", Role::op},
    {"Operator", Role::op},
    {"user_annotation", Role::annotation},
    {"gpu_user_annotation", Role::gpu_annotation},
    {"kernel", Role::kernel},
    {"Kernel", Role::kernel},
    {"gpu_memcpy", Role::copy},
    {"Memcpy", Role::copy},
    {"gpu_memset", Role::copy},
    {"Memset", Role::copy},
    {"cuda_runtime", Role::api},
    {"Runtime", Role::api},
    {"cuda_driver", Role::api},
    {"xpu_runtime", Role::api},
    {"xpu_driver", Role::api},
    {"mtia_runtime", Role::api},
    {"privateuse1_runtime", Role::api},
    {"privateuse1_driver", Role::api},
    {"python_function", Role::python},
    {"overhead", Role::overhead},
    {"cuda_sync", Role::sync},
    {"cuda_event", Role::sync},
}};

} // namespace

Role role_of(std::string_view category) {
  for (const auto& [name, role] : kRoles)
    if (name == category) return role;
  return Role::other;
}

bool is_kernel_kind(std::string_view word, KernelKind& kind) {
  if (word == "compute")
    kind = KernelKind::compute;
  else if (word == "communication")
    kind = KernelKind::communication;
  else if (word == "memory")
    kind = KernelKind::memory;
  else
    return false;
  return true;
}

std::uint64_t launch_flow(const EventBatch& batch, const TraceEvent& event) {
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg)
    if (arg->key == "correlation" && arg->kind == ValueKind::integer && arg->integer > 0)
      return static_cast<std::uint64_t>(arg->integer) | kLaunchFlow;
  return 0;
}

} // namespace prof::json
