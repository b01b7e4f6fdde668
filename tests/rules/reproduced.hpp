// reproduced.hpp: every number of a diagnosis against the query that the report shows beside it.
#pragma once
#include "rules/diagnosis.hpp"
#include "rules/request_set.hpp"

#include <gtest/gtest.h>

namespace prof {

// Runs each query as it is shown, and returns how many numbers were compared.
inline int expect_reproduced(const Store& store, const Diagnosis& d) {
  auto sql = Sql::open(store);
  EXPECT_TRUE(sql.ok());
  int compared = 0;
  const auto equals = [&](const std::string& query, double shown, const std::string& what) {
    const auto number = one_number(*sql, query);
    ASSERT_TRUE(number.ok()) << what << ": " << number.error().what << "\n" << query;
    ASSERT_TRUE(number->has_value()) << what << "\n" << query;
    EXPECT_NEAR(**number, shown, 1e-9 * std::max(1.0, std::abs(shown))) << what << "\n" << query;
    ++compared;
  };
  if (d.device_accounting)
    for (const DeviceAccounting::Class& c : d.device_accounting->classes)
      equals(c.sql, c.share, c.id);
  for (const Cause& cause : d.causes) {
    for (const auto* list : {&cause.evidence, &cause.against})
      for (const EvidenceResult& e : *list) {
        // These two are computed from the rows of the share: its rows are what the query must give.
        if (e.name == "tail_gap_explained" || e.name == "latency_correlation") {
          EXPECT_EQ(e.sql, cause.share.sql) << cause.id << "." << e.name;
          continue;
        }
        if (e.name == "service_cause_found") continue; // stands under the other cause
        if (e.value) equals(e.sql, *e.value, cause.id + "." + e.name);
      }
    if (cause.share.unit == "device")
      equals("select 1.0 * sum(ns) / (select sum(window_ns) from device_time) from (select null as "
             "device_id, 0 as ns "
             "union all select * from (" +
                 cause.share.sql + "))",
             cause.share.mean, cause.id + ".share");
    else if (cause.share.unit == "request")
      equals("select 1.0 * sum(ns) / (select sum(dur) from unit where is_complete) from (select null as id, "
             "0 as ns "
             "union all select * from (" +
                 cause.share.sql + "))",
             cause.share.mean, cause.id + ".share");
    else if (cause.share.unit == "thread") // of the threads that the cause was looked for in
      equals("select 1.0 * sum(ns) / " + std::to_string(d.threads ? d.threads->total_ns : 0) +
                 " from (select null as id, 0 as ns union all select * from (" + cause.share.sql + "))",
             cause.share.mean, cause.id + ".share");
  }
  return compared;
}

} // namespace prof
