// ascend_serving_reader.cpp: batches that msServiceProfiler recorded of a serving engine, one a row, each row
// a tuple of the batch and a tuple of its requests as Python prints them:
//   "('batch_stage', 'batch_size', ..., 'model_execute_time')","('input_length', ...)"
//   "('decode', 10.0, 199, 3805, 1015, 26340.0)","((1015, 19, 1), (208, 20, 1), ...)"
#include "base/lang.hpp"
#include "import/ascend/csv.hpp"
#include "import/ascend/notes.hpp"
#include "import/json/event_args.hpp"
#include "import/reader.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::string_view kStage = "batch_stage", kTime = "model_execute_time", kSize = "batch_size";

// The elements of a flat tuple, without quotes.
std::vector<std::string_view> elements(std::string_view tuple) {
  tuple = ascend::trimmed(tuple);
  std::vector<std::string_view> out;
  if (tuple.size() < 2 || tuple.front() != '(' || tuple.back() != ')') return out;
  tuple = tuple.substr(1, tuple.size() - 2);
  for (std::size_t at = 0; at < tuple.size();) {
    const std::size_t end = std::min(tuple.find(',', at), tuple.size());
    std::string_view element = ascend::trimmed(tuple.substr(at, end - at));
    if (element.size() >= 2 && element.front() == '\'' && element.back() == '\'')
      element = element.substr(1, element.size() - 2);
    if (!element.empty()) out.push_back(element);
    at = end + 1;
  }
  return out;
}

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  const std::string_view line = head.substr(0, head.find('\n'));
  return line.find(kStage) != std::string_view::npos && line.find(kTime) != std::string_view::npos ? 80 : 0;
}

class Batches {
public:
  explicit Batches(TraceSink& sink) : sink_(sink), texts_(sink) {
    const Id<Process> process =
        sink.process({.pid = 0, .name = sink.intern("serving engine"), .cmdline = {}});
    track_ = sink.track({.name = sink.intern("batches"), .kind = TrackKind::async, .process = process});
    size_ =
        sink.counter_track({.name = sink.intern(kSize), .unit = sink.intern("count"), .process = process});
  }

  Status read(const std::filesystem::path& path);

private:
  void batch(const ascend::CsvFile& file, const std::vector<std::string>& titles);

  TraceSink& sink_;
  json::TextCache texts_;
  ascend::Notes notes_;
  Id<Track> track_{};
  Id<CounterTrack> size_{};
  Ts now_{};
  std::int64_t batches_ = 0;
};

// The file has lengths and no starts: the batches are laid end to end, in the order in which they ran.
void Batches::batch(const ascend::CsvFile& file, const std::vector<std::string>& titles) {
  const auto values = elements(file.cell(0));
  std::vector<Arg> args;
  std::string_view stage = "batch";
  std::optional<std::int64_t> dur;
  std::optional<double> size;
  for (std::size_t i = 0; i < std::min(values.size(), titles.size()); ++i) {
    if (titles[i] == kStage)
      stage = values[i];
    else if (titles[i] == kTime)
      dur = ascend::ns_of(values[i]); // us
    else if (const auto integer = ascend::integer_of(values[i]))
      args.push_back({.key = texts_.intern(titles[i]), .value = *integer});
    else if (const auto real = ascend::real_of(values[i]))
      args.push_back({.key = texts_.intern(titles[i]), .value = *real});
    if (titles[i] == kSize) size = ascend::real_of(values[i]);
  }
  constexpr std::int64_t kMaxDur = std::int64_t{1} << 50; // 13 days: sums of these must not overflow
  if (values.size() < titles.size() || !dur || *dur < 0 || *dur > kMaxDur || now_.ns > kMaxDur * 512)
    return notes_.count("note.ascend.row_without_time", Severity::data_loss,
                        fmt::format("offset {}", file.offset()));
  sink_.slice({.track = track_,
               .ts = now_,
               .dur = {*dur},
               .name = texts_.intern(stage),
               .category = texts_.intern(words::kRun),
               .layer = Layer::framework,
               .args = args});
  if (size) sink_.counter(size_, now_, *size);
  now_ = now_ + Dur{*dur};
  ++batches_;
}

Status Batches::read(const std::filesystem::path& path) {
  PROF_TRY(ascend::CsvFile file, ascend::CsvFile::open(path));
  PROF_TRY(const bool has_header, file.next());
  std::vector<std::string> titles;
  if (has_header)
    for (const std::string_view title : elements(file.cell(0)))
      titles.emplace_back(title);
  if (std::ranges::find(titles, kTime) == titles.end())
    return error_said(Errc::malformed, "error.no_batches", {});
  for (;;) {
    PROF_TRY(const bool is_there, file.next());
    if (!is_there) break;
    batch(file, titles);
    if (file.is_cut() && (file.has_open_quote() || file.size() < 2))
      notes_.count("note.csv.cut", Severity::data_loss, fmt::format("offset {}", file.offset()));
  }
  sink_.metadata("format", "Ascend serving batches");
  if (batches_ > 0) notes_.count("note.ascend.batches_without_start", Severity::notice, {}, batches_);
  notes_.write(sink_);
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  return Batches(sink).read(path);
}

} // namespace

extern const Reader ascend_serving_reader;
const Reader ascend_serving_reader{
    .name = "ascend_serving",
    .description = "import.format.ascend_serving",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "batches of msServiceProfiler",
              .tested_on = "real: one table of 256 batches (published with its tests)",
              .reads = "batches with length, size and counts, end to end",
              .leaves_out = "starts and single requests (the table has none)"}};

} // namespace prof
