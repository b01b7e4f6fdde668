#include "import/otlp/spans.hpp"

#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

namespace prof::otlp {
namespace {

constexpr int kServer = 2, kStatusUnset = 0, kStatusOk = 1, kStatusError = 2;
constexpr std::uint64_t kMaxTime = std::uint64_t{1} << 62; // sums of two stay in 64 bits
constexpr std::int64_t kMadeUpPid = std::int64_t{1} << 40; // beyond any that the kernel gives out
constexpr std::size_t kMaxLanes = 4096;

constexpr std::array<std::string_view, 6> kKinds{"", "internal", "server", "client", "producer", "consumer"};

std::string dumped(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_of(const nlohmann::json& attributes, const char* key) {
  const auto found = attributes.find(key);
  if (found == attributes.end()) return {};
  return found->is_string() ? found->get<std::string>() : dumped(*found);
}

} // namespace

void Spans::resource(nlohmann::json attributes) {
  if (resources_.empty()) resources_.emplace_back();
  resources_.back() = std::move(attributes);
}

void Spans::args_of(const Span& span) {
  const auto text = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) args_.push_back({.key = sink_.intern(key), .value = sink_.intern(value)});
  };
  if (span.end == 0)
    text(words::kArgStatus, "unfinished");
  else if (span.status == kStatusError || span.status == kStatusOk)
    text(words::kArgStatus, span.status == kStatusError ? "error" : "ok");
  text("status_message", span.status_message);
  if (span.kind > 0 && span.kind < static_cast<int>(kKinds.size()))
    text("span_kind", kKinds[static_cast<std::size_t>(span.kind)]);
  text("trace_id", span.trace_id);
  text("span_id", span.id);
  for (const auto& [key, value] : span.attributes.items()) {
    // These two words of our own stand for something else.
    const bool is_ours = key == words::kArgRequestId || key == words::kArgStatus;
    const StrId name = sink_.intern(is_ours ? "attributes." + key : key);
    if (value.is_number_integer())
      args_.push_back({.key = name, .value = value.get<std::int64_t>()});
    else if (value.is_number_float())
      args_.push_back({.key = name, .value = value.get<double>()});
    else if (value.is_boolean())
      args_.push_back({.key = name, .value = value.get<bool>()});
    else if (value.is_string())
      args_.push_back({.key = name, .value = sink_.intern(value.get_ref<const std::string&>())});
    else if (!value.is_null())
      args_.push_back({.key = name, .value = sink_.intern(dumped(value))});
  }
}

void Spans::add(const Span& span) {
  if (resources_.empty()) resources_.emplace_back();
  if (span.start == 0 || span.start > kMaxTime || span.end > kMaxTime) {
    ++bad_times_;
    return;
  }
  Row row;
  row.ts = {static_cast<std::int64_t>(span.start)};
  if (span.end == 0)
    row.dur = kUnfinished;
  else if (span.end >= span.start)
    row.dur = {static_cast<std::int64_t>(span.end - span.start)};
  else
    ++negative_;
  row.name = sink_.intern(span.name);
  row.resource = static_cast<std::uint32_t>(resources_.size() - 1);
  row.is_server = span.kind == kServer;
  row.is_ok_unsaid = span.end != 0 && span.status == kStatusUnset;
  if (!span.id.empty()) row.key = span.trace_id + "/" + span.id;
  if (!span.parent_id.empty()) row.parent_key = span.trace_id + "/" + span.parent_id;
  row.args_begin = static_cast<std::int64_t>(args_.size());
  args_of(span);
  row.args_end = static_cast<std::int64_t>(args_.size());
  rows_.push_back(std::move(row));
}

// Sorts by start, longer first, drops what was exported twice, and finds each span's parent.
void Spans::link() {
  std::ranges::stable_sort(rows_, [](const Row& a, const Row& b) {
    const auto key = [](const Row& row) {
      return std::pair(row.ts.ns,
                       row.dur == kUnfinished ? std::numeric_limits<std::int64_t>::min() : -row.dur.ns);
    };
    return key(a) < key(b);
  });
  std::unordered_map<std::string_view, std::uint32_t> by_key;
  std::vector<Row> kept;
  kept.reserve(rows_.size()); // the keys below point into it
  for (Row& row : rows_) {
    if (!row.key.empty() && by_key.contains(row.key)) {
      ++duplicates_;
      continue;
    }
    kept.push_back(std::move(row));
    if (!kept.back().key.empty())
      by_key.emplace(kept.back().key, static_cast<std::uint32_t>(kept.size() - 1));
  }
  for (Row& row : kept)
    if (const auto found = by_key.find(row.parent_key); !row.parent_key.empty() && found != by_key.end())
      row.parent = found->second;
  rows_ = std::move(kept);
}

// Of a span without a parent in the file, or that a server answered: itself; else that of its parent. A chain
// that runs into itself is opened where that was found.
std::uint32_t Spans::request_of(std::uint32_t row) {
  std::vector<std::uint32_t> chain;
  std::uint32_t at = row;
  constexpr std::uint32_t kOnTheWay = kNone - 1;
  while (rows_[at].request == kNone && rows_[at].parent != kNone && !rows_[at].is_server) {
    rows_[at].request = kOnTheWay;
    chain.push_back(at);
    at = rows_[at].parent;
  }
  std::uint32_t request = rows_[at].request;
  if (request == kOnTheWay) ++cycles_;
  if (request == kNone || request == kOnTheWay) {
    request = at;
    rows_[at].request = at;
  }
  for (const std::uint32_t below : chain)
    rows_[below].request = request;
  return request;
}

Id<Process> Spans::process_of(std::uint32_t resource) {
  if (processes_.size() < resources_.size()) processes_.resize(resources_.size());
  if (processes_[resource]) return processes_[resource];
  const nlohmann::json attributes =
      resources_[resource].is_object() ? resources_[resource] : nlohmann::json::object();
  const std::string name = text_of(attributes, "service.name");
  const std::string identity =
      fmt::format("{}\n{}\n{}\n{}", name, text_of(attributes, "service.instance.id"),
                  text_of(attributes, "host.name"), text_of(attributes, "process.pid"));
  const auto [found, is_new] = by_identity_.try_emplace(identity);
  if (is_new) {
    std::int64_t pid = kMadeUpPid + static_cast<std::int64_t>(by_identity_.size()) - 1;
    // Containers of one service all have process 1: the number is taken by the first only.
    if (const auto at = attributes.find("process.pid");
        at != attributes.end() && at->is_number_integer() && pids_[at->get<std::int64_t>()]++ == 0)
      pid = at->get<std::int64_t>();
    found->second = sink_.process({.pid = pid,
                                   .name = sink_.intern(name.empty() ? "service" : name),
                                   .cmdline = sink_.intern(text_of(attributes, "process.command_line"))});
  }
  processes_[resource] = found->second;
  return found->second;
}

// Requests stand alone on a lane; a stage may lie on one of the same request that encloses it.
bool Spans::fits(Lane& lane, std::uint32_t row) const {
  const auto end_of = [&](std::uint32_t at) {
    const Row& it = rows_[at];
    return it.dur == kUnfinished ? std::numeric_limits<std::int64_t>::max() : it.ts.ns + it.dur.ns;
  };
  while (!lane.open.empty() && end_of(lane.open.back()) <= rows_[row].ts.ns)
    lane.open.pop_back();
  if (lane.open.empty()) return true;
  const std::uint32_t top = lane.open.back();
  return rows_[row].request != row && rows_[top].request == rows_[row].request && end_of(row) <= end_of(top);
}

Id<Track> Spans::lane_for(std::uint32_t row, bool is_request) {
  const Id<Process> process = process_of(rows_[row].resource);
  std::vector<Lane>& lanes = lanes_[{process, is_request}];
  auto lane = std::ranges::find_if(lanes, [&](Lane& each) { return fits(each, row); });
  if (lane == lanes.end() && lanes.size() < kMaxLanes) {
    const std::string_view name = is_request ? "requests" : "stages";
    lanes.push_back({.track = sink_.track(
                         {.name = sink_.intern(lanes.empty() ? std::string(name)
                                                             : fmt::format("{} {}", name, lanes.size() + 1)),
                          .kind = TrackKind::async,
                          .process = process}),
                     .open = {}});
    lane = std::prev(lanes.end());
  }
  if (lane == lanes.end()) lane = std::prev(lane); // the store counts what overlaps there
  lane->open.push_back(row);
  return lane->track;
}

void Spans::emit(std::uint32_t at) {
  const Row& row = rows_[at];
  const bool is_request = row.request == at;
  row_args_.assign(1, {.key = sink_.intern(words::kArgRequestId), .value = rows_[row.request].number});
  // Instrumentation leaves the status of what went well unset; "ok" is for those who overrule it.
  if (is_request && row.is_ok_unsaid)
    row_args_.push_back({.key = sink_.intern(words::kArgStatus), .value = sink_.intern("ok")});
  row_args_.insert(row_args_.end(), args_.begin() + row.args_begin, args_.begin() + row.args_end);
  sink_.slice({.track = lane_for(at, is_request),
               .ts = row.ts,
               .dur = row.dur,
               .name = row.name,
               .category = sink_.intern(is_request ? words::kRequest : words::kStage),
               .layer = Layer::application,
               .args = row_args_});
  ++(is_request ? requests_ : stages_);
}

void Spans::write() {
  link();
  std::int64_t number = 0;
  for (std::uint32_t row = 0; row < rows_.size(); ++row)
    (void)request_of(row);
  for (std::uint32_t row = 0; row < rows_.size(); ++row)
    if (rows_[row].request == row) rows_[row].number = ++number;
  for (std::uint32_t row = 0; row < rows_.size(); ++row)
    emit(row);
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink_, "otlp", what, count);
  };
  signal(words::kSignalRequests, requests_);
  signal(words::kSignalStages, stages_);
  sink_.metadata("format", "OpenTelemetry spans (OTLP)");
  sink_.metadata("clock", "CLOCK_REALTIME");
  say_note(sink_, Severity::data_loss, "note.otlp.bad_time", bad_times_);
  say_note(sink_, Severity::data_loss, "note.otlp.negative_duration", negative_);
  say_note(sink_, Severity::notice, "note.otlp.duplicate", duplicates_);
  say_note(sink_, Severity::notice, "note.otlp.cycle", cycles_);
  say_note(sink_, Severity::notice, "note.otlp.not_read", not_read_);
}

} // namespace prof::otlp
