// value_test.hpp: one comparison of two small sets of independent values (run means, run percentiles, batch
// means).
#pragma once
#include "verdict/two_sample.hpp"

#include <cstdint>
#include <string_view>

namespace prof {

enum class TestKind : std::uint8_t { automatic, t_test, mann_whitney, permutation, bootstrap, ks };
// "auto", "t-test", "mann-whitney", "permutation", "bootstrap", "ks"; nullopt otherwise.
[[nodiscard]] std::optional<TestKind> test_kind_from(std::string_view name);
[[nodiscard]] std::string_view test_kind_name(TestKind kind);

// What was really done; reports name it.
enum class Method : std::uint8_t {
  none,
  welch,
  welch_log,
  paired_t,
  paired_t_log,
  mann_whitney,
  permutation,
  bootstrap,
  ks,
  block_bootstrap,
  block_permutation
};
[[nodiscard]] std::string_view method_name(Method method); // machine name: "welch_log"

struct ValueTest {
  Method method = Method::none;
  double before = 0, after = 0; // the two centres: geometric means on the log scale, else means
  bool is_log = false;          // change = after / before - 1, from logs
  double centre = 0, se = 0;    // of log(after/before) or of after - before
  double df = 1;
  ConfidenceInterval ci; // of `centre`, 95 %
  double sd = 0;         // pooled spread of one value, same scale: what power needs
  double p = 1;
};
// Both sides need two values or more. Logs are used when every value is positive. `is_paired`: a[i] belongs
// to b[i].
[[nodiscard]] ValueTest test_values(std::span<const double> a, std::span<const double> b, TestKind kind,
                                    bool is_paired, int draws, std::uint64_t seed);

} // namespace prof
