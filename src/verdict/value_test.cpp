#include "verdict/value_test.hpp"

#include "verdict/resample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace prof {
namespace {

constexpr std::array<std::pair<std::string_view, TestKind>, 6> kKinds{
    {{"auto", TestKind::automatic},
     {"t-test", TestKind::t_test},
     {"mann-whitney", TestKind::mann_whitney},
     {"permutation", TestKind::permutation},
     {"bootstrap", TestKind::bootstrap},
     {"ks", TestKind::ks}}};

double difference_of_means(std::span<const double> a, std::span<const double> b) {
  return mean(b) - mean(a);
}

std::vector<double> logs(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  for (double& v : out)
    v = std::log(v);
  return out;
}

double pooled_sd(std::span<const double> a, std::span<const double> b) {
  const double na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  return std::sqrt(((na - 1) * variance(a) + (nb - 1) * variance(b)) / (na + nb - 2));
}

// Centre, spread and interval by t; the other tests replace p (and the interval, where they have one of their
// own).
void fill_t(ValueTest& out, std::span<const double> a, std::span<const double> b, bool is_paired) {
  const WelchResult t = is_paired ? paired_t(a, b) : welch(a, b);
  out.centre = t.diff, out.se = t.se, out.df = t.df, out.ci = t.ci, out.p = t.p;
  out.sd = is_paired ? t.se * std::sqrt(static_cast<double>(a.size()) / 2) : pooled_sd(a, b);
  out.method = is_paired ? (out.is_log ? Method::paired_t_log : Method::paired_t)
                         : (out.is_log ? Method::welch_log : Method::welch);
}

void fill_test(ValueTest& out, std::span<const double> a, std::span<const double> b, TestKind kind, int draws,
               std::uint64_t seed) {
  switch (kind) {
  case TestKind::automatic:
  case TestKind::t_test:
    return;
  case TestKind::mann_whitney: {
    out.method = Method::mann_whitney;
    out.p = mann_whitney(a, b).p;
    const ShiftResult shift = hodges_lehmann(a, b);
    if (!shift.is_valid) return;
    out.centre = shift.shift;
    if (shift.ci) out.ci = *shift.ci;
    return;
  }
  case TestKind::permutation:
    out.method = Method::permutation;
    out.p = permutation(a, b, difference_of_means, draws, seed).p;
    return;
  case TestKind::bootstrap: {
    out.method = Method::bootstrap;
    const auto boot = bootstrap_two(a, b, difference_of_means, draws, seed);
    out.ci = boot.percentile, out.se = boot.se, out.p = boot.p;
    return;
  }
  case TestKind::ks:
    out.method = Method::ks;
    out.p = kolmogorov_smirnov(a, b).p;
    return;
  }
}

} // namespace

std::optional<TestKind> test_kind_from(std::string_view name) {
  for (const auto& [word, kind] : kKinds)
    if (word == name) return kind;
  return std::nullopt;
}

std::string_view test_kind_name(TestKind kind) {
  for (const auto& [word, known] : kKinds)
    if (known == kind) return word;
  return {};
}

std::string_view method_name(Method method) {
  switch (method) {
  case Method::none:
    return "none";
  case Method::welch:
    return "welch";
  case Method::welch_log:
    return "welch_log";
  case Method::paired_t:
    return "paired_t";
  case Method::paired_t_log:
    return "paired_t_log";
  case Method::mann_whitney:
    return "mann_whitney";
  case Method::permutation:
    return "permutation";
  case Method::bootstrap:
    return "bootstrap";
  case Method::ks:
    return "ks";
  case Method::block_bootstrap:
    return "block_bootstrap";
  case Method::block_permutation:
    return "block_permutation";
  }
  return {};
}

ValueTest test_values(std::span<const double> a, std::span<const double> b, TestKind kind, bool is_paired,
                      int draws, std::uint64_t seed) {
  ValueTest out;
  if (a.size() < 2 || b.size() < 2) return out;
  const auto is_positive = [](double v) { return v > 0; };
  out.is_log = std::ranges::all_of(a, is_positive) && std::ranges::all_of(b, is_positive);
  const std::vector<double> x = out.is_log ? logs(a) : std::vector<double>(a.begin(), a.end());
  const std::vector<double> y = out.is_log ? logs(b) : std::vector<double>(b.begin(), b.end());
  out.before = out.is_log ? std::exp(mean(x)) : mean(x);
  out.after = out.is_log ? std::exp(mean(y)) : mean(y);
  fill_t(out, x, y, is_paired);
  if (!is_paired) fill_test(out, x, y, kind, draws, seed);
  return out;
}

} // namespace prof
