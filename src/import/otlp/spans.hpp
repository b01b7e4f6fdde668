// spans.hpp: the spans of an OpenTelemetry file, from whichever encoding, and what they become: requests and
// their stages.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof::otlp {

struct Span {
  std::string trace_id, id, parent_id; // lower-case hex; empty = absent
  std::string name, status_message;
  std::uint64_t start = 0, end = 0; // ns since 1970; end 0 = not ended
  int kind = 0;                     // 2 server
  int status = 0;                   // 0 unset: ended and nobody called it an error; 1 ok, 2 error
  nlohmann::json attributes = nlohmann::json::object();
};

// Takes spans in any order and writes them when all are known: a parent may come after its children.
class Spans {
public:
  explicit Spans(TraceSink& sink) : sink_(sink) {}

  // A resource (a service's process); spans that are added from now on belong to it. Its attributes may come
  // after them.
  void begin_resource() { resources_.emplace_back(); }
  void resource(nlohmann::json attributes);
  void add(const Span& span);
  void count_not_read(std::int64_t events_and_links) { not_read_ += events_and_links; }
  void write();
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(rows_.size()); }

private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Row {
    Ts ts{};
    Dur dur{};
    StrId name{};
    std::uint32_t resource = 0;
    std::uint32_t request = kNone; // row of the span that is its request
    std::uint32_t parent = kNone;
    std::int64_t number = 0; // of a request
    std::int64_t args_begin = 0, args_end = 0;
    bool is_server = false;
    bool is_ok_unsaid = false;   // ended with an unset status
    std::string key, parent_key; // trace and span
  };
  // Tracks of one kind of one process, as many as things overlap.
  struct Lane {
    Id<Track> track{};
    std::vector<std::uint32_t> open; // rows, outermost first
  };
  void args_of(const Span& span);
  void link();
  [[nodiscard]] std::uint32_t request_of(std::uint32_t row);
  [[nodiscard]] Id<Process> process_of(std::uint32_t resource);
  [[nodiscard]] Id<Track> lane_for(std::uint32_t row, bool is_request);
  [[nodiscard]] bool fits(Lane& lane, std::uint32_t row) const;
  void emit(std::uint32_t row);

  TraceSink& sink_;
  std::vector<nlohmann::json> resources_;
  std::vector<Row> rows_;
  std::vector<Arg> args_, row_args_;
  std::vector<Id<Process>> processes_; // by resource
  std::map<std::string, Id<Process>> by_identity_;
  std::map<std::int64_t, int> pids_;
  std::map<std::pair<Id<Process>, bool>, std::vector<Lane>> lanes_;
  std::int64_t requests_ = 0, stages_ = 0, bad_times_ = 0, negative_ = 0, duplicates_ = 0, cycles_ = 0,
               not_read_ = 0;
};

// A file of JSON objects, one after the other. What was good before a break is in `spans`; the ledger says
// the rest.
[[nodiscard]] Status read_json(const std::filesystem::path& path, Spans& spans, TraceSink& sink);
[[nodiscard]] Status read_proto(const std::filesystem::path& path, Spans& spans, TraceSink& sink);

} // namespace prof::otlp
