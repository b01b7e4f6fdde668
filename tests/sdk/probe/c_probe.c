/* c_probe: what a service in C does with prof_sdk.h: argv[1] of each thing, in two threads, and one of each
 * end that a request can have. */
#include "sdk/prof_sdk.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int g_rounds;
static uint64_t g_flows[1000];
static prof_request g_requests[1000];

static void* work_behind(void* unused) {
  const prof_name served = prof_intern("served");
  for (int i = 0; i < g_rounds; ++i) {
    const prof_request before = prof_attach(g_requests[i]);
    const prof_span stage = prof_stage_begin(served);
    prof_flow_in(stage, g_flows[i]);
    prof_span_end(stage);
    prof_detach(before);
    prof_request_end(g_requests[i], PROF_OK);
  }
  return unused;
}

int main(int argc, char** argv) {
  g_rounds = argc > 1 ? atoi(argv[1]) : 1;
  prof_service("c_probe");
  const prof_op_info conv = {"conv1", "Conv", "m.onnx", NULL, "1,3,8,8", NULL, ""};
  const prof_op op = prof_op_define(&conv);
  const prof_name request = prof_intern("request"), queue = prof_intern("queue"), span = prof_intern("span"),
                  key = prof_intern("i"), depth = prof_intern("depth");
  for (int i = 0; i < g_rounds; ++i) {
    const uint64_t arrived = prof_ticks();
    g_requests[i] = prof_request_begin_at(request, arrived);
    prof_wait_begin(g_requests[i], queue, arrived, PROF_QUEUE_WAIT);
    prof_wait(g_requests[i], queue, arrived, prof_ticks(), PROF_QUEUE_WAIT);
    const prof_span open = prof_span_begin(span);
    prof_span_int(open, key, i);
    prof_span_double(open, prof_intern("half"), i / 2.0);
    prof_span_text(open, prof_intern("word"), i % 2 ? "odd" : "even");
    g_flows[i] = prof_flow_out(open);
    prof_counter(depth, 0, i);
    const uint64_t begin = prof_ticks();
    prof_op_end(op, begin);
    prof_span_end(open);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, work_behind, NULL);
  pthread_join(thread, NULL);
  for (int status = PROF_OK; status <= PROF_CANCELLED + 1; ++status)
    prof_request_end(prof_request_begin(prof_intern("end")), (enum prof_status)status);
  return 0;
}
