// request_model.hpp: from a sealed trace to the queue model that replay.hpp replays.
#pragma once
#include "base/result.hpp"
#include "plan/replay.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"

namespace prof {

// Requests that share a working stage's slice are one unit. A request without working stages is served from
// its own start, after its waits. Error: missing when the trace has no requests.
[[nodiscard]] Result<RequestModel> make_request_model(const Store& store, Sql& sql);

// The operator time of each model, largest first: which model a step about models is for.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> models_by_time(const Store& store);

} // namespace prof
