// perf_data_reader.cpp: the file that `perf record` writes (perf.data): records of mappings, names and
// samples (import/stacks/perf_data_file.hpp). The file names no functions: frames are places in files.
#include "base/lang.hpp"
#include "import/json/event_args.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/stacks/perf_data_file.hpp"
#include "import/stacks/perf_events.hpp"
#include "trace/conventions.hpp"

#include "base/byte_reader.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

namespace prof {
namespace {

constexpr std::int64_t kMaxFile = std::int64_t{4} << 30;
constexpr std::uint64_t kContextMax = ~std::uint64_t{0} - 4094; // markers in call chains lie at or above it
constexpr std::uint64_t kContextKernel = ~std::uint64_t{0} - 127, kContextUser = ~std::uint64_t{0} - 511;

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  return !is_folder && (head.starts_with(stacks::kPerfMagic) || head.starts_with("2ELIFREP")) ? 95 : 0;
}

struct MappedRange {
  std::uint64_t end = 0, file_offset = 0;
  std::string_view path;
};
class PerfData {
public:
  PerfData(std::string_view bytes, TraceSink& sink)
      : size_(bytes.size()), file_(bytes), sink_(sink), texts_(sink) {}
  Status read();

private:
  void take(const stacks::PerfRecord& record);
  Status sample(const stacks::PerfRecord& record);
  Status mmap(const stacks::PerfRecord& record);
  Status comm(const stacks::PerfRecord& record);
  Status fork(const stacks::PerfRecord& record);
  void name_threads();
  Id<Mapping> mapping_of(std::uint64_t start, const MappedRange& range);
  Id<Frame> frame_of(std::uint32_t pid, std::uint64_t ip, bool is_kernel);
  Id<Process> process_of(std::uint32_t pid);

  std::size_t size_;
  stacks::PerfDataFile file_;
  TraceSink& sink_;
  json::TextCache texts_;
  std::map<std::uint32_t, std::map<std::uint64_t, MappedRange>> ranges_; // by process and start
  std::map<std::uint32_t, Id<Process>> processes_;
  using Thread = std::pair<std::uint32_t, std::uint32_t>; // process, thread
  std::map<Thread, std::string_view> names_;
  std::set<Thread> sampled_;
  std::int64_t samples_ = 0, lost_ = 0, bad_ = 0, compressed_ = 0, unknown_ = 0;
};

void PerfData::take(const stacks::PerfRecord& record) {
  Status status;
  ByteReader in(record.body);
  switch (record.type) {
  case stacks::kMmap:
  case stacks::kMmap2:
    status = mmap(record);
    break;
  case stacks::kComm:
    status = comm(record);
    break;
  case stacks::kFork:
    status = fork(record);
    break;
  case stacks::kSample:
    status = sample(record);
    break;
  case stacks::kLost:
    if (in.skip(8))
      if (const auto count = in.read<std::uint64_t>())
        lost_ += static_cast<std::int64_t>(std::min<std::uint64_t>(*count, 1U << 30U));
    break;
  case stacks::kLostSamples:
    if (const auto count = in.read<std::uint64_t>())
      lost_ += static_cast<std::int64_t>(std::min<std::uint64_t>(*count, 1U << 30U));
    break;
  case stacks::kCompressed:
  case stacks::kCompressed2:
    ++compressed_;
    break;
  default: // known ones hold build ids, topology, throttling: nothing that a sample needs
    unknown_ += stacks::is_known_record(record.type) ? 0 : 1;
  }
  if (!status) ++bad_;
}

Status PerfData::mmap(const stacks::PerfRecord& record) {
  ByteReader in(record.body);
  PROF_TRY(const auto pid, in.read<std::uint32_t>());
  PROF_CHECK(in.skip(4));
  PROF_TRY(const auto start, in.read<std::uint64_t>());
  PROF_TRY(const auto length, in.read<std::uint64_t>());
  PROF_TRY(const auto offset, in.read<std::uint64_t>());
  if (record.type == stacks::kMmap2) PROF_CHECK(in.skip(32)); // device, inode or build id, protection, flags
  PROF_TRY(const std::string_view rest, in.take(in.left()));
  const std::uint64_t end = start + length;
  if (end <= start) return {};
  // What was mapped there before is gone, but for what sticks out on either side.
  auto& ranges = ranges_[pid];
  auto at = ranges.upper_bound(start);
  if (at != ranges.begin()) --at;
  while (at != ranges.end() && at->first < end) {
    const auto [old_start, old] = *at;
    if (old.end <= start) {
      ++at;
      continue;
    }
    at = ranges.erase(at);
    if (old_start < start) {
      ranges[old_start] = old;
      ranges[old_start].end = start;
    }
    if (old.end > end) {
      ranges[end] = old;
      ranges[end].file_offset += end - old_start;
    }
  }
  ranges[start] = {.end = end, .file_offset = offset, .path = stacks::text_at_head(rest)};
  return {};
}

Id<Process> PerfData::process_of(std::uint32_t pid) {
  const auto [found, is_new] = processes_.try_emplace(pid);
  if (is_new) found->second = sink_.process({.pid = pid, .name = {}, .cmdline = {}});
  return found->second;
}

Status PerfData::comm(const stacks::PerfRecord& record) {
  constexpr std::uint16_t kExec = 1U << 13U;
  ByteReader in(record.body);
  PROF_TRY(const auto pid, in.read<std::uint32_t>());
  PROF_TRY(const auto tid, in.read<std::uint32_t>());
  PROF_TRY(const std::string_view rest, in.take(in.left()));
  names_[{pid, tid}] = stacks::text_at_head(rest);
  if ((record.misc & kExec) != 0) ranges_.erase(pid); // another program now, which says its own mappings
  return {};
}

// The last name of a thread is its own: before that it has its parent's.
void PerfData::name_threads() {
  for (const auto& [pid, tid] : sampled_) {
    const auto name = names_.find({pid, tid});
    if (name == names_.end()) continue;
    const StrId text = texts_.intern(name->second);
    if (pid == tid) (void)sink_.process({.pid = pid, .name = text, .cmdline = {}});
    (void)sink_.thread({.process = process_of(pid), .tid = tid, .name = text});
  }
}

// A new process has its parent's mappings until it replaces them.
Status PerfData::fork(const stacks::PerfRecord& record) {
  ByteReader in(record.body);
  PROF_TRY(const auto pid, in.read<std::uint32_t>());
  PROF_TRY(const auto parent, in.read<std::uint32_t>());
  if (pid == parent) return {};
  if (const auto from = ranges_.find(parent); from != ranges_.end()) {
    auto copy = from->second;
    ranges_[pid] = std::move(copy);
  }
  return {};
}

Id<Mapping> PerfData::mapping_of(std::uint64_t start, const MappedRange& range) {
  return sink_.mapping({.path = texts_.intern(range.path),
                        .build_id = {},
                        .start = start,
                        .end = range.end,
                        .file_offset = range.file_offset});
}

Id<Frame> PerfData::frame_of(std::uint32_t pid, std::uint64_t ip, bool is_kernel) {
  if (is_kernel)
    return sink_.frame({.function = texts_.intern("[kernel]"),
                        .mapping = {},
                        .rel_pc = ip,
                        .source_file = {},
                        .kind = FrameKind::kernel});
  const auto process = ranges_.find(pid);
  if (process != ranges_.end()) {
    auto range = process->second.upper_bound(ip);
    if (range != process->second.begin() && ip < (--range)->second.end)
      return sink_.frame({.function = {},
                          .mapping = mapping_of(range->first, range->second),
                          .rel_pc = ip - range->first + range->second.file_offset,
                          .source_file = {}});
  }
  return sink_.frame(
      {.function = texts_.intern("[unknown]"), .mapping = {}, .rel_pc = ip, .source_file = {}});
}

Status PerfData::sample(const stacks::PerfRecord& record) {
  const stacks::PerfEvent* event = file_.event_of(record.body);
  if (event == nullptr) return error_said(Errc::malformed, "error.unknown_event", {});
  PROF_TRY(const stacks::PerfPlace place, file_.place_of(*event, record.body));
  std::vector<Id<Frame>> frames; // leaf first
  bool is_kernel = (record.misc & 7U) == 1;
  if (place.chain.empty() && place.ip != 0) frames.push_back(frame_of(place.pid, place.ip, is_kernel));
  for (const std::uint64_t ip : place.chain) {
    if (ip >= kContextMax) {
      is_kernel = ip == kContextKernel ? true : ip == kContextUser ? false : is_kernel;
      continue;
    }
    frames.push_back(frame_of(place.pid, ip, is_kernel));
  }
  std::ranges::reverse(frames);
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  sink_.sample({.ts = {static_cast<std::int64_t>(std::min(place.time, limit))},
                .thread = sink_.thread({.process = process_of(place.pid), .tid = place.tid, .name = {}}),
                .cpu = (event->sample_type & stacks::kCpu) != 0 ? static_cast<std::int32_t>(place.cpu) : -1,
                .callstack = frames.empty() ? Id<Callstack>{} : sink_.callstack({.frames = frames}),
                .event = texts_.intern(stacks::plain_event(event->name)),
                .weight = static_cast<std::int64_t>(std::min(place.period, limit))});
  sampled_.insert({place.pid, place.tid});
  ++samples_;
  return {};
}

Status PerfData::read() {
  PROF_CHECK(file_.read_header());
  if (file_.has_bad_names()) ++bad_;
  for (const stacks::PerfRecord& record : file_.records())
    take(record);
  name_threads();
  if (samples_ == 0)
    return error_said(Errc::malformed, compressed_ > 0 ? "error.perf_compressed" : "error.no_samples", {});
  sink_.metadata("format", "perf.data");
  say_available(sink_, "perf_data", words::kSignalStacks, samples_);
  say_note(sink_, Severity::data_loss, "note.perf.lost", lost_);
  say_note(sink_, Severity::data_loss, "note.perf.bad_record", bad_);
  say_note(sink_, Severity::data_loss, "note.perf.unknown_record", unknown_);
  say_note(sink_, Severity::data_loss, "note.perf.compressed", compressed_);
  say_note(sink_, Severity::data_loss, "note.json.cut", file_.is_cut() ? 1 : 0,
           fmt::format("offset {}", size_));
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const std::string bytes, read_file(path, kMaxFile));
  return PerfData(bytes, sink).read();
}

} // namespace

extern const Reader perf_data_reader;
const Reader perf_data_reader{
    .name = "perf_data",
    .description = "import.format.perf_data",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "PERFILE2, little-endian, version 1 of the header, from a file (not a pipe)",
        .tested_on = "real: a recording of perf 6.1 of two events in four programs; times, threads, periods "
                     "and addresses of all 328 samples equal what `perf script` prints",
        .reads =
            "samples with thread, CPU, time, period and call chain; mappings, names, forks, lost records",
        .leaves_out = "names of functions (the file has none: use `perf script`), compressed records, "
                      "tracepoint data, branch stacks, other byte orders"}};

} // namespace prof
