// first_act_probe: a program whose first act is to record a request with spans and an operator, and that ends
// at once.
#include "sdk/prof_sdk.hpp"

int main() {
  prof::sdk::service("first_act");
  const prof_request request = prof_request_begin(PROF_NAME("whole life"));
  const prof_op_info info{.name = "only op",
                          .op_type = "Add",
                          .model = "m",
                          .provider = nullptr,
                          .input_shapes = nullptr,
                          .output_shapes = nullptr,
                          .input_dtypes = nullptr};
  {
    const prof::sdk::Op running(prof_op_define(&info));
  }
  for (int i = 0; i < 1009; ++i)
    PROF_SPAN("first act");
  prof_request_end(request, PROF_OK);
}
