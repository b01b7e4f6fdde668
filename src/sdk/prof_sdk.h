/* prof_sdk.h: annotate a service, from C or C++ (prof_sdk.hpp has the C++ classes). Links nothing but libc
 * and pthread.
 *
 * Off (no profiler attached), every call is one relaxed load of a shared word and a branch that is not taken.
 * On, a span costs its two clock reads: records go to a ring of the calling thread in shared memory, without
 * locks, system calls or allocation; a full ring drops the record and counts it. Nothing here ever blocks or
 * fails visibly. docs/sdk.md explains.
 *
 * Threads: every function may be called from any thread. A prof_span is ended on the thread that began it.
 * Requests, waits, counters and flows may cross threads. Not for signal handlers. Text is copied; 16 KiB of a
 * name are kept.
 */
#ifndef PROF_SDK_H
#define PROF_SDK_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t
    prof_name; /* an interned text; valid for the whole process and its forked children; 0 = none */
typedef uint32_t prof_op; /* an operator described once by prof_op_define; 0 = none */
typedef uint64_t
    prof_request;           /* one unit of work; 0 = not recorded (no profiler was attached when it began) */
typedef uint64_t prof_span; /* an open span of this thread; 0 = not recorded */

enum prof_status { PROF_OK = 0, PROF_ERROR = 1, PROF_TIMEOUT = 2, PROF_REJECTED = 3, PROF_CANCELLED = 4 };
enum prof_wait_class { PROF_QUEUE_WAIT = 1, PROF_BATCH_WAIT = 2, PROF_DEVICE_WAIT = 3, PROF_NETWORK = 4 };

/* What an operator is. Absent texts are NULL or "". Shapes: "1,3,224,224;64,3,7,7", one entry per input. */
typedef struct prof_op_info {
  const char *name, *op_type, *model, *provider, *input_shapes, *output_shapes, *input_dtypes;
} prof_op_info;

/* ---- the machinery below the inline calls; not called directly
 * ------------------------------------------------------- */
enum prof_span_kind { PROF_KIND_SPAN = 0, PROF_KIND_STAGE = 1, PROF_KIND_RUN = 2 };
enum prof_arg_type { PROF_ARG_INT = 0, PROF_ARG_DOUBLE = 1, PROF_ARG_TEXT = 2 };
struct prof_sdk_table { /* version 1: entries are only ever appended */
  uint32_t version, bytes;
  void (*add_copy)(const uint32_t** word);
  void (*remove_copy)(const uint32_t** word);
  void (*service)(const char* name, size_t length);
  prof_name (*intern)(const char* text, size_t length);
  prof_op (*op_define)(const prof_op_info* info);
  uint64_t (*ticks)(void);
  prof_request (*request_begin)(prof_name name, uint64_t begin_ticks);
  void (*request_end)(prof_request request, uint32_t status);
  prof_request (*attach)(prof_request request);
  prof_span (*span_begin)(uint32_t kind, prof_name name, const prof_request* requests, uint32_t count);
  void (*span_end)(prof_span span);
  void (*span_arg)(prof_span span, prof_name key, uint32_t type, uint64_t bits);
  uint64_t (*flow_out)(prof_span span);
  void (*flow_in)(prof_span span, uint64_t flow);
  void (*async)(uint32_t kind, prof_name name, prof_request request, uint64_t begin_ticks, uint64_t end_ticks,
                uint32_t wait_class);
  void (*counter)(prof_name name, prof_name unit, double value);
  void (*op)(prof_op op, uint64_t begin_ticks, uint64_t end_ticks);
  /* for the shim */
  void (*lock)(const void* mutex, uint32_t owner_tid, uint64_t begin_ticks, uint64_t end_ticks);
  void (*heap_tick)(void);
  void (*hook_state)(uint32_t state, const char* version, const char* detail, uint32_t hooked);
  void (*fact)(const char* key, const char* value);
  void (*wait_begin)(prof_name name, prof_request request, uint64_t begin_ticks, uint32_t wait_class);
};
/* The table in use: this copy's own, or that of the preloaded shim, so that a process has one set of rings.
 */
extern __attribute__((visibility("hidden"))) const struct prof_sdk_table* prof_sdk_api;
/* Points at the shared word: 0 = nobody records. */
extern __attribute__((visibility("hidden"))) const uint32_t* prof_sdk_word;
/* Exported by every copy, so that a process with several of them shares the first. */
__attribute__((visibility("default"))) const struct prof_sdk_table* prof_sdk_v1(void);

/* True while a profiler records this process. */
static inline int prof_is_on(void) {
  const uint32_t word = __atomic_load_n(__atomic_load_n(&prof_sdk_word, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  return __builtin_expect(word != 0, 0) ? 1 : 0;
}

/* ---- the interface
 * ----------------------------------------------------------------------------------------------------- */

/* Announces the service. Optional: without it the service is called as its program. Call it once, at the
 * start. */
static inline void prof_service(const char* name) {
  prof_sdk_api->service(name, strlen(name));
}

/* A text for the calls below. Takes a lock the first time a text is seen, a hash later: keep the result in a
 * static. */
static inline prof_name prof_intern(const char* text) {
  return text ? prof_sdk_api->intern(text, strlen(text)) : 0;
}
static inline prof_name prof_intern_n(const char* text, size_t length) {
  return prof_sdk_api->intern(text, length);
}

/* The SDK's clock, for prof_wait and prof_op_end; 0 while nobody records. */
static inline uint64_t prof_ticks(void) {
  return prof_is_on() ? prof_sdk_api->ticks() : 0;
}

/* A request: from begin to end, on any threads. begin_at takes an earlier prof_ticks(), such as the time of
 * arrival. */
static inline prof_request prof_request_begin(prof_name name) {
  return prof_is_on() ? prof_sdk_api->request_begin(name, 0) : 0;
}
static inline prof_request prof_request_begin_at(prof_name name, uint64_t begin_ticks) {
  return prof_is_on() ? prof_sdk_api->request_begin(name, begin_ticks) : 0;
}
static inline void prof_request_end(prof_request request, enum prof_status status) {
  if (request) prof_sdk_api->request_end(request, (uint32_t)status);
}
/* The number that the trace shows as request_id; 0 when not recorded. Unique among the processes of a
 * machine. */
static inline uint64_t prof_request_id(prof_request request) {
  return request & ~(1ull << 63);
}

/* This thread works for `request` from now on (0: for none); stages begun without a list belong to it.
 * Returns the one before, to be attached again afterwards. */
static inline prof_request prof_attach(prof_request request) {
  return prof_is_on() ? prof_sdk_api->attach(request) : 0;
}
static inline void prof_detach(prof_request before) {
  if (prof_is_on()) (void)prof_sdk_api->attach(before);
}

/* A stage of the attached request, or of the `count` requests of a batch. */
static inline prof_span prof_stage_begin(prof_name name) {
  return prof_is_on() ? prof_sdk_api->span_begin(PROF_KIND_STAGE, name, NULL, 0) : 0;
}
static inline prof_span prof_stage_begin_for(prof_name name, const prof_request* requests, uint32_t count) {
  return prof_is_on() ? prof_sdk_api->span_begin(PROF_KIND_STAGE, name, requests, count) : 0;
}
/* Any other span. */
static inline prof_span prof_span_begin(prof_name name) {
  return prof_is_on() ? prof_sdk_api->span_begin(PROF_KIND_SPAN, name, NULL, 0) : 0;
}
static inline void prof_span_end(prof_span span) {
  if (span) prof_sdk_api->span_end(span);
}
/* Named values of an open span. Texts are interned and kept: no unbounded sets of values. */
static inline void prof_span_int(prof_span span, prof_name key, int64_t value) {
  if (span) prof_sdk_api->span_arg(span, key, PROF_ARG_INT, (uint64_t)value);
}
static inline void prof_span_double(prof_span span, prof_name key, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (span) prof_sdk_api->span_arg(span, key, PROF_ARG_DOUBLE, bits);
}
static inline void prof_span_text(prof_span span, prof_name key, const char* value) {
  if (span) prof_sdk_api->span_arg(span, key, PROF_ARG_TEXT, prof_intern(value));
}
/* An arrow from one span to another, in any thread: the number goes along with the work. */
static inline uint64_t prof_flow_out(prof_span span) {
  return span ? prof_sdk_api->flow_out(span) : 0;
}
static inline void prof_flow_in(prof_span span, uint64_t flow) {
  if (span && flow) prof_sdk_api->flow_in(span, flow);
}

/* `request` waited from begin to end (prof_ticks) and no thread ran for it: in a queue, for its batch to
 * fill. */
static inline void prof_wait(prof_request request, prof_name name, uint64_t begin_ticks, uint64_t end_ticks,
                             enum prof_wait_class wait_class) {
  if (request && begin_ticks && end_ticks && prof_is_on())
    prof_sdk_api->async(PROF_KIND_STAGE, name, request, begin_ticks, end_ticks, (uint32_t)wait_class);
}

/* The same wait told when it begins, so that a recording that ends meanwhile shows it; prof_wait with the
 * same begin completes it. Optional. */
static inline void prof_wait_begin(prof_request request, prof_name name, uint64_t begin_ticks,
                                   enum prof_wait_class wait_class) {
  if (request && begin_ticks && prof_is_on())
    prof_sdk_api->wait_begin(name, request, begin_ticks, (uint32_t)wait_class);
}

/* A number over time; unit 0 = count. */
static inline void prof_counter(prof_name name, prof_name unit, double value) {
  if (prof_is_on()) prof_sdk_api->counter(name, unit, value);
}

/* Operators: described once, then recorded as one interval each: t = prof_ticks(); ...; prof_op_end(op, t).
 */
static inline prof_op prof_op_define(const prof_op_info* info) {
  return prof_sdk_api->op_define(info);
}
static inline void prof_op_end(prof_op op, uint64_t begin_ticks) {
  if (begin_ticks && prof_is_on()) prof_sdk_api->op(op, begin_ticks, prof_sdk_api->ticks());
}

#ifdef __cplusplus
}
#endif
#endif
