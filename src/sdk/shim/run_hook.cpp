// Entries of the API table replaced by ours, in place: every caller sees them, however it got the table.
#include "sdk/shim/shim.hpp"

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace prof::shim {

namespace {

using CreateSession = void*(const void* env, const char* path, const void* options, void** out);
using CreateFromArray = void*(const void* env, const void* data, std::size_t size, const void* options,
                              void** out);
using CreateSharing = void*(const void* env, const char* path, const void* options, void* weights,
                            void** out);
using CreateFromArraySharing = void*(const void* env, const void* data, std::size_t size, const void* options,
                                     void* weights, void** out);
using ReleaseSession = void(void* session);
using Run = void*(void* session, const void* options, const char* const* input_names,
                  const void* const* inputs, std::size_t input_count, const char* const* output_names,
                  std::size_t output_count, void** outputs);
using RunWithBinding = void*(void* session, const void* options, const void* binding);
using AsyncDone = void(void* user_data, void** outputs, std::size_t count, void* status);
using RunAsync = void*(void* session, const void* options, const char* const* input_names,
                       const void* const* inputs, std::size_t input_count, const char* const* output_names,
                       std::size_t output_count, void** outputs, AsyncDone* done, void* user_data);

struct Originals {
  CreateSession* create;
  CreateFromArray* create_from_array;
  CreateSharing* create_sharing;
  CreateFromArraySharing* create_from_array_sharing;
  ReleaseSession* release;
  Run* run;
  RunWithBinding* run_with_binding;
  RunAsync* run_async;
};
Originals g_original;

// Sessions that are alive. A name is written once, before the session is published, and stays until the cell
// is reused.
struct Session {
  std::atomic<const void*> self;
  char name[256];
};
constexpr int kMaxSessions = 1024;
Session g_sessions[kMaxSessions];
std::atomic<int> g_session_count{0};

Session* find_session(const void* session) {
  for (Session& s : g_sessions)
    if (s.self.load(std::memory_order_acquire) == session) return &s;
  return nullptr;
}

// The graph's own name, for models that came from memory.
void graph_name(const void* session, char* out, std::size_t size) {
  void* metadata = nullptr;
  void* allocator = nullptr;
  char* name = nullptr;
  const auto release = [](void* status) {
    if (status != nullptr) g_ort.entry<void(void*)>(kReleaseStatus)(status);
    return status == nullptr;
  };
  if (!release(g_ort.entry<void*(const void*, void**)>(kSessionGetModelMetadata)(session, &metadata))) return;
  if (release(g_ort.entry<void*(void**)>(kGetAllocatorWithDefaultOptions)(&allocator)) &&
      release(g_ort.entry<void*(const void*, void*, char**)>(kModelMetadataGetGraphName)(metadata, allocator,
                                                                                         &name)) &&
      name != nullptr) {
    std::snprintf(out, size, "%s", name);
    release(g_ort.entry<void*(void*, void*)>(kAllocatorFree)(allocator, name));
  }
  g_ort.entry<void(void*)>(kReleaseModelMetadata)(metadata);
}

Session* remember(const void* session, const char* path) {
  static const char claimed = 0; // its address marks a cell that is being written
  for (Session& s : g_sessions) {
    const void* empty = nullptr;
    if (!s.self.compare_exchange_strong(empty, &claimed, std::memory_order_acq_rel)) continue;
    s.name[0] = 0;
    if (path != nullptr) {
      const char* slash = std::strrchr(path, '/');
      std::snprintf(s.name, sizeof s.name, "%s", slash != nullptr ? slash + 1 : path);
    } else {
      graph_name(session, s.name, sizeof s.name);
    }
    if (s.name[0] == 0)
      std::snprintf(s.name, sizeof s.name, "model %d", static_cast<int>(&s - g_sessions) + 1);
    if (path != nullptr) {
      char key[sizeof s.name + 8];
      std::snprintf(key, sizeof key, "model.%s", s.name);
      // As it is found from anywhere: a plan's commands run elsewhere than the service.
      char whole[PATH_MAX];
      const char* found = path[0] != '/' ? ::realpath(path, whole) : nullptr;
      prof_sdk_api->fact(key, found != nullptr ? found : path);
    }
    s.self.store(session, std::memory_order_release);
    g_session_count.fetch_add(1, std::memory_order_relaxed);
    return &s;
  }
  return nullptr;
}

const char* name_of(const void* session) {
  Session* known = find_session(session);
  if (known == nullptr)
    known = remember(session, nullptr); // made before we came, or by a call we do not wrap
  return known != nullptr ? known->name : "model";
}

class Creating {
public:
  Creating() : before_(t_is_creating) { t_is_creating = true; }
  Creating(const Creating&) = delete;
  Creating& operator=(const Creating&) = delete;
  ~Creating() { t_is_creating = before_; }

private:
  bool before_;
};

void* created(void* status, void** out, const char* path) {
  if (status == nullptr && out != nullptr && *out != nullptr) (void)remember(*out, path);
  return status;
}

void* create_session(const void* env, const char* path, const void* options, void** out) {
  const Creating creating;
  return created(g_original.create(env, path, options, out), out, path);
}
void* create_from_array(const void* env, const void* data, std::size_t size, const void* options,
                        void** out) {
  const Creating creating;
  return created(g_original.create_from_array(env, data, size, options, out), out, nullptr);
}
void* create_sharing(const void* env, const char* path, const void* options, void* weights, void** out) {
  const Creating creating;
  return created(g_original.create_sharing(env, path, options, weights, out), out, path);
}
void* create_from_array_sharing(const void* env, const void* data, std::size_t size, const void* options,
                                void* weights, void** out) {
  const Creating creating;
  return created(g_original.create_from_array_sharing(env, data, size, options, weights, out), out, nullptr);
}
void release_session(void* session) {
  if (Session* known = find_session(session); known != nullptr && session != nullptr) {
    known->self.store(nullptr, std::memory_order_release);
    g_session_count.fetch_sub(1, std::memory_order_relaxed);
    forget_kernels();
  }
  g_original.release(session);
}

// The run that this thread is in. Plain calls instead of a destructor: an exception does not pass through the
// C API.
struct Running {
  prof_span span;
  const char* before;
};
Running begin_run(const void* session) {
  const char* before = t_model;
  t_model = name_of(session);
  return {prof_sdk_api->span_begin(PROF_KIND_RUN, prof_intern(t_model), nullptr, 0), before};
}
void end_run(const Running& running) {
  prof_span_end(running.span);
  t_model = running.before;
  prof_sdk_api->heap_tick();
}

void* run(void* session, const void* options, const char* const* input_names, const void* const* inputs,
          std::size_t input_count, const char* const* output_names, std::size_t output_count,
          void** outputs) {
  if (!prof_is_on())
    return g_original.run(session, options, input_names, inputs, input_count, output_names, output_count,
                          outputs);
  const Running running = begin_run(session);
  void* status =
      g_original.run(session, options, input_names, inputs, input_count, output_names, output_count, outputs);
  end_run(running);
  return status;
}

void* run_with_binding(void* session, const void* options, const void* binding) {
  if (!prof_is_on()) return g_original.run_with_binding(session, options, binding);
  const Running running = begin_run(session);
  void* status = g_original.run_with_binding(session, options, binding);
  end_run(running);
  return status;
}

// An asynchronous run lasts from the call to its callback, in another thread.
struct AsyncRun {
  AsyncDone* done;
  void* user_data;
  std::uint64_t begin;
  const char* model;
};
void async_done(void* data, void** outputs, std::size_t count, void* status) {
  const AsyncRun run = *static_cast<AsyncRun*>(data);
  std::free(data);
  if (prof_is_on())
    prof_sdk_api->async(PROF_KIND_RUN, prof_intern(run.model), 0, run.begin, prof_sdk_api->ticks(), 0);
  run.done(run.user_data, outputs, count, status);
}
void* run_async(void* session, const void* options, const char* const* input_names, const void* const* inputs,
                std::size_t input_count, const char* const* output_names, std::size_t output_count,
                void** outputs, AsyncDone* done, void* user_data) {
  auto* async =
      prof_is_on() && done != nullptr ? static_cast<AsyncRun*>(std::malloc(sizeof(AsyncRun))) : nullptr;
  if (async == nullptr)
    return g_original.run_async(session, options, input_names, inputs, input_count, output_names,
                                output_count, outputs, done, user_data);
  *async = {done, user_data, prof_sdk_api->ticks(), name_of(session)};
  void* status = g_original.run_async(session, options, input_names, inputs, input_count, output_names,
                                      output_count, outputs, async_done, async);
  if (status != nullptr) std::free(async); // refused: the callback never comes
  return status;
}

template <class Function>
void replace(ApiEntry at, Function*& original, Function* ours) {
  original = g_ort.entry<Function>(at);
  auto* table = const_cast<const void**>(g_ort.api);
  __atomic_store_n(&table[at], reinterpret_cast<const void*>(ours), __ATOMIC_RELEASE);
}

} // namespace

const char* only_model() {
  if (g_session_count.load(std::memory_order_relaxed) != 1) return nullptr;
  for (Session& s : g_sessions)
    if (s.self.load(std::memory_order_acquire) != nullptr && s.name[0] != 0) return s.name;
  return nullptr;
}

void hook_runs() {
  replace(kCreateSession, g_original.create, create_session);
  replace(kCreateSessionFromArray, g_original.create_from_array, create_from_array);
  replace(kCreateSessionWithPrepackedWeights, g_original.create_sharing, create_sharing);
  replace(kCreateSessionFromArrayWithPrepackedWeights, g_original.create_from_array_sharing,
          create_from_array_sharing);
  replace(kReleaseSession, g_original.release, release_session);
  replace(kRun, g_original.run, run);
  replace(kRunWithBinding, g_original.run_with_binding, run_with_binding);
  if (g_ort.minor >= kRunAsyncSince) replace(kRunAsync, g_original.run_async, run_async);
}

} // namespace prof::shim
