#include "report/html/page_operators.hpp"

#include "report/html/page_bytes.hpp"
#include "trace/conventions.hpp"
#include "verdict/descriptive.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

namespace prof {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxRows = 3000;
constexpr std::size_t kMaxTextBytes = 500;

struct Piece {
  StrId type, name;
  std::uint32_t arg_set = kNoRow;
  std::int64_t dur = 0, self = 0;
  std::optional<std::int64_t> launch; // from the launch to the start
};
struct Totals {
  std::vector<double> dur;
  double total = 0, self = 0, launch = 0;
  std::int64_t launches = 0;
};
using Groups = std::map<std::pair<StrId, StrId>, Totals>;

json row_json(const Store& store, const std::pair<StrId, StrId>& key, const Totals& t, bool has_self) {
  return {shortened(store.text(key.first), kMaxTextBytes),
          shortened(store.text(key.second), kMaxTextBytes),
          t.dur.size(),
          t.total,
          has_self ? json(t.self) : json(nullptr),
          t.dur.front(),
          quantile_type7(t.dur, 0.5),
          quantile_type7(t.dur, 0.99),
          t.dur.back(),
          t.launches > 0 ? json(t.launch / static_cast<double>(t.launches)) : json(nullptr)};
}

json groups_json(const Store& store, Groups groups, bool has_self) {
  std::vector<Groups::value_type*> order;
  for (auto& group : groups) {
    std::ranges::sort(group.second.dur);
    order.push_back(&group);
  }
  std::ranges::stable_sort(order, std::greater<>(), [](const auto* g) { return g->second.total; });
  json rows = json::array();
  for (std::size_t i = 0; i < order.size() && i < kMaxRows; ++i)
    rows.push_back(row_json(store, order[i]->first, order[i]->second, has_self));
  return {{"rows", std::move(rows)}, {"cut", order.size() - std::min(order.size(), kMaxRows)}};
}

// Argument sets repeat: each is searched once per key.
class ArgTexts {
public:
  ArgTexts(const Store& store, std::string_view key) : store_(store), key_(key) {}
  StrId of(std::uint32_t arg_set) {
    const auto [at, is_new] = known_.try_emplace(arg_set);
    if (is_new)
      if (const ArgValue* value = store_.find_arg(arg_set, key_))
        if (const StrId* text = std::get_if<StrId>(value)) at->second = *text;
    return at->second;
  }

private:
  const Store& store_;
  std::string_view key_;
  std::unordered_map<std::uint32_t, StrId> known_;
};

template <typename KeyOf>
Groups grouped(const std::vector<Piece>& pieces, const KeyOf& key_of) {
  Groups groups;
  for (const Piece& piece : pieces) {
    Totals& t = groups[key_of(piece)];
    t.dur.push_back(static_cast<double>(piece.dur));
    t.total += static_cast<double>(piece.dur);
    t.self += static_cast<double>(piece.self);
    if (!piece.launch) continue;
    t.launch += static_cast<double>(*piece.launch);
    ++t.launches;
  }
  return groups;
}

json source_json(const Store& store, const std::vector<Piece>& pieces, bool has_self) {
  if (pieces.empty()) return nullptr;
  using Key = std::pair<StrId, StrId>;
  json out;
  out["type"] = groups_json(store, grouped(pieces, [](const Piece& p) { return Key(p.type, {}); }), has_self);
  out["name"] =
      groups_json(store, grouped(pieces, [](const Piece& p) { return Key(p.type, p.name); }), has_self);
  static constexpr std::array<std::pair<const char*, std::string_view>, 3> kByArgument{
      {{"shape", words::kArgInputShapes}, {"dtype", "input_dtypes"}, {"format", "input_formats"}}};
  for (const auto& [grouping, key] : kByArgument) {
    ArgTexts texts(store, key);
    const auto is_said = [&](const Piece& p) { return !store.text(texts.of(p.arg_set)).empty(); };
    if (std::ranges::any_of(pieces, is_said))
      out[grouping] = groups_json(
          store, grouped(pieces, [&](const Piece& p) { return Key(p.type, texts.of(p.arg_set)); }), has_self);
  }
  return out;
}

} // namespace

json operators_json(const Store& store) {
  const Tables& t = store.tables();
  std::vector<Piece> ops, kernels;
  for (std::size_t i = 0; i < t.op.dur.size(); ++i)
    if (t.op.dur[i] >= 0)
      ops.push_back({.type = t.op.op_type[i],
                     .name = t.op.name[i],
                     .arg_set = t.slice.arg_set[t.op.slice[i]],
                     .dur = t.op.dur[i],
                     .self = t.op.self_dur[i],
                     .launch = {}});
  for (std::size_t i = 0; i < t.kernel.dur.size(); ++i) {
    if (t.kernel.dur[i] < 0) continue;
    const std::uint32_t launch = t.kernel.launch[i];
    kernels.push_back(
        {.type = t.kernel.op_type[i],
         .name = t.kernel.name[i],
         .arg_set = t.kernel.arg_set[i],
         .dur = t.kernel.dur[i],
         .launch = launch == kNoRow ? std::nullopt : std::optional(t.kernel.ts[i] - t.slice.ts[launch])});
  }
  return {{"op", source_json(store, ops, true)}, {"kernel", source_json(store, kernels, false)}};
}

} // namespace prof
