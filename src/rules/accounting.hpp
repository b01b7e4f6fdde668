// accounting.hpp: where the time of the units and of the devices went, for the report.
#pragma once
#include "rules/evaluate.hpp"
#include "rules/request_set.hpp"

#include <optional>

namespace prof {

// Errors of all: those of the queries.
[[nodiscard]] Result<std::optional<Accounting>> account(Sql& sql, KeptViews& kept,
                                                        const RequestSet& requests);
[[nodiscard]] Result<std::optional<DeviceAccounting>> account_devices(Sql& sql, const RequestSet& devices);
// Idle time that no cause of `d` explains; nullopt where it is little, or the causes found are as large.
[[nodiscard]] Result<std::optional<UnexplainedIdle>> idle_left(Sql& sql, const Diagnosis& d,
                                                               bool has_requests);

} // namespace prof
