// perf_data_reader.cpp: the file that `perf record` writes (perf.data): a header that says where things are,
// records of mappings, names and samples, and features behind them. The file names no functions: frames are
// places in files.
#include "import/json/event_args.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/stacks/perf_events.hpp"
#include "trace/conventions.hpp"

#include "base/byte_reader.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

namespace prof {
namespace {

constexpr std::string_view kMagic = "PERFILE2"; // little-endian; a file of another byte order reads backwards
constexpr std::int64_t kMaxFile = std::int64_t{4} << 30;
constexpr std::size_t kMaxDepth = 4096; // frames of one stack; the ones beyond are left out

// Bits of perf_event_attr.sample_type, in the order in which a sample holds them.
enum SampleBit : std::uint64_t {
  kIp = 1U << 0U,
  kTid = 1U << 1U,
  kTime = 1U << 2U,
  kAddr = 1U << 3U,
  kRead = 1U << 4U,
  kCallchain = 1U << 5U,
  kId = 1U << 6U,
  kCpu = 1U << 7U,
  kPeriod = 1U << 8U,
  kStreamId = 1U << 9U,
  kIdentifier = 1U << 16U
};
enum RecordType : std::uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kFork = 7,
  kSample = 9,
  kMmap2 = 10,
  kLostSamples = 13,
  kCompressed = 81
};
constexpr std::uint64_t kContextMax = ~std::uint64_t{0} - 4094; // markers in call chains lie at or above it
constexpr std::uint64_t kContextKernel = ~std::uint64_t{0} - 127, kContextUser = ~std::uint64_t{0} - 511;
constexpr unsigned kEventDescription = 12; // feature

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  return !is_folder && (head.starts_with(kMagic) || head.starts_with("2ELIFREP")) ? 95 : 0;
}

// Text of a record: up to its first zero.
std::string_view text_at_head(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

struct Event {
  std::uint64_t sample_type = 0, period = 1;
  std::string name;
  bool has_ids_everywhere = false;
};
struct MappedRange {
  std::uint64_t end = 0, file_offset = 0;
  std::string_view path;
};
// What a sample or another record holds of where and when it was taken.
struct Place {
  std::uint64_t ip = 0, time = 0, id = 0, period = 1;
  std::uint32_t pid = 0, tid = 0, cpu = 0;
  std::vector<std::uint64_t> chain;
};
struct Record {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::uint64_t time = 0;
  std::string_view body;
};

class PerfData {
public:
  PerfData(std::string_view bytes, TraceSink& sink) : bytes_(bytes), sink_(sink), texts_(sink) {}
  Status read();

private:
  struct Section {
    std::uint64_t offset = 0, size = 0;
  };
  [[nodiscard]] std::string_view part(Section at) const {
    if (at.offset > bytes_.size()) return {};
    return bytes_.substr(
        static_cast<std::size_t>(at.offset),
        static_cast<std::size_t>(std::min<std::uint64_t>(at.size, bytes_.size() - at.offset)));
  }
  static Result<Section> section(ByteReader& from) {
    Section out;
    PROF_TRY(out.offset, from.read<std::uint64_t>());
    PROF_TRY(out.size, from.read<std::uint64_t>());
    return out;
  }
  Status read_header();
  Status read_events(Section attrs, std::uint64_t attr_size);
  [[nodiscard]] bool are_features_cut(std::string_view features) const;
  void read_names(Section data, std::string_view features);
  void read_records();
  void take(const Record& record);
  [[nodiscard]] std::uint64_t time_of(const Record& record) const;
  Result<Place> place_of(const Event& event, std::string_view body) const;
  [[nodiscard]] const Event* event_of(std::string_view body) const;
  Status sample(const Record& record);
  Status mmap(const Record& record);
  Status comm(const Record& record);
  Status fork(const Record& record);
  void name_threads();
  Id<Mapping> mapping_of(std::uint64_t start, const MappedRange& range);
  Id<Frame> frame_of(std::uint32_t pid, std::uint64_t ip, bool is_kernel);
  Id<Process> process_of(std::uint32_t pid);

  std::string_view bytes_;
  TraceSink& sink_;
  json::TextCache texts_;
  Section data_;
  std::vector<Event> events_;
  std::map<std::uint64_t, std::size_t> event_of_id_;
  std::map<std::uint32_t, std::map<std::uint64_t, MappedRange>> ranges_; // by process and start
  std::map<std::uint32_t, Id<Process>> processes_;
  using Thread = std::pair<std::uint32_t, std::uint32_t>; // process, thread
  std::map<Thread, std::string_view> names_;
  std::set<Thread> sampled_;
  std::int64_t samples_ = 0, lost_ = 0, bad_ = 0, compressed_ = 0;
  bool is_cut_ = false;
};

Status PerfData::read_header() {
  ByteReader header(bytes_.substr(0, 104));
  PROF_CHECK(header.skip(kMagic.size()));
  PROF_TRY(const auto size, header.read<std::uint64_t>());
  if (size < 104)
    return Error{
        Errc::unsupported, "a perf.data file from a pipe is not read: use `perf record -o FILE`", {}};
  PROF_TRY(const auto attr_size, header.read<std::uint64_t>());
  PROF_TRY(const Section attrs, section(header));
  PROF_TRY(data_, section(header));
  PROF_CHECK(read_events(attrs, attr_size));
  PROF_TRY([[maybe_unused]] const Section old_names, section(header));
  PROF_TRY(const std::string_view features, header.take(32));
  is_cut_ = data_.offset + data_.size > bytes_.size();
  if (!is_cut_) is_cut_ = are_features_cut(features);
  if (data_.offset + data_.size <= bytes_.size()) read_names(data_, features);
  return {};
}

Status PerfData::read_events(Section attrs, std::uint64_t attr_size) {
  constexpr unsigned kFrequency = 10, kSampleIdAll = 18;
  constexpr std::size_t kIdsSection = 16;
  if (attr_size < 48 + kIdsSection || attr_size > 4096)
    return Error{Errc::malformed, "the header of the file is damaged", {}};
  const std::string_view list = part(attrs);
  for (std::size_t at = 0; at + attr_size <= list.size(); at += attr_size) {
    ByteReader attr(list.substr(at, attr_size));
    PROF_CHECK(attr.skip(16)); // type, size, config
    Event event;
    PROF_TRY(event.period, attr.read<std::uint64_t>());
    PROF_TRY(event.sample_type, attr.read<std::uint64_t>());
    PROF_CHECK(attr.skip(8)); // read_format
    PROF_TRY(const auto flags, attr.read<std::uint64_t>());
    event.has_ids_everywhere = ((flags >> kSampleIdAll) & 1U) != 0;
    if (((flags >> kFrequency) & 1U) != 0) event.period = 1; // it was a frequency: samples say their own
    event.name = fmt::format("event {}", events_.size());
    PROF_CHECK(attr.skip(attr.left() - kIdsSection));
    PROF_TRY(const Section ids, section(attr));
    for (ByteReader each(part(ids)); each.left() >= 8;) {
      PROF_TRY(const auto id, each.read<std::uint64_t>());
      event_of_id_[id] = events_.size();
    }
    events_.push_back(std::move(event));
  }
  if (events_.empty()) return Error{Errc::malformed, "the file describes no event", {}};
  return {};
}

// Features stand behind the data: first where each of them is, then they themselves.
bool PerfData::are_features_cut(std::string_view features) const {
  std::uint64_t count = 0;
  for (const char byte : features)
    count += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned char>(byte)));
  ByteReader list(part({.offset = data_.offset + data_.size, .size = count * 16}));
  if (list.left() < count * 16) return true;
  while (!list.is_done()) {
    const auto at = section(list);
    if (!at || at->offset > bytes_.size() || at->size > bytes_.size() - at->offset) return true;
  }
  return false;
}

// Names of events stand in a feature section; the list of sections stands behind the data, one for each bit.
void PerfData::read_names(Section data, std::string_view features) {
  const auto has = [&](unsigned bit) {
    return ((static_cast<unsigned char>(features[bit / 8]) >> (bit % 8)) & 1U) != 0;
  };
  if (!has(kEventDescription)) return;
  std::uint64_t before = 0;
  for (unsigned bit = 0; bit < kEventDescription; ++bit)
    before += has(bit) ? 1 : 0;
  ByteReader list(part({.offset = data.offset + data.size + before * 16, .size = 16}));
  const auto read = [&]() -> Status {
    PROF_TRY(const Section at, section(list));
    ByteReader in(part(at));
    PROF_TRY(const auto count, in.read<std::uint32_t>());
    PROF_TRY(const auto attr_size, in.read<std::uint32_t>());
    for (std::uint32_t i = 0; i < count && i < events_.size(); ++i) {
      PROF_CHECK(in.skip(attr_size));
      PROF_TRY(const auto ids, in.read<std::uint32_t>());
      PROF_TRY(const auto length, in.read<std::uint32_t>());
      PROF_TRY(const std::string_view name, in.take(length));
      events_[i].name = text_at_head(name);
      PROF_CHECK(in.skip(std::size_t{ids} * 8));
    }
    return {};
  };
  if (!read()) ++bad_;
}

// Which event a sample is of: its identifier stands first where events differ in what they hold.
const Event* PerfData::event_of(std::string_view body) const {
  if (events_.size() == 1) return &events_.front();
  const std::uint64_t type = events_.front().sample_type;
  std::size_t at = 0;
  if ((type & kIdentifier) == 0) {
    if ((type & kId) == 0) return &events_.front();
    for (const std::uint64_t bit : {kIp, kTid, kTime, kAddr})
      at += (type & bit) != 0 ? 8 : 0;
  }
  ByteReader reader(body);
  if (!reader.skip(at)) return nullptr;
  const auto id = reader.read<std::uint64_t>();
  const auto known = id ? event_of_id_.find(*id) : event_of_id_.end();
  return known == event_of_id_.end() ? nullptr : &events_[known->second];
}

Result<Place> PerfData::place_of(const Event& event, std::string_view body) const {
  ByteReader in(body);
  Place out;
  out.period = event.period;
  const auto has = [&](std::uint64_t bit) { return (event.sample_type & bit) != 0; };
  if (has(kIdentifier)) {
    PROF_TRY(out.id, in.read<std::uint64_t>());
  }
  if (has(kIp)) {
    PROF_TRY(out.ip, in.read<std::uint64_t>());
  }
  if (has(kTid)) {
    PROF_TRY(out.pid, in.read<std::uint32_t>());
    PROF_TRY(out.tid, in.read<std::uint32_t>());
  }
  if (has(kTime)) {
    PROF_TRY(out.time, in.read<std::uint64_t>());
  }
  for (const std::uint64_t bit : {kAddr, kId, kStreamId})
    if (has(bit)) PROF_CHECK(in.skip(8));
  if (has(kCpu)) {
    PROF_TRY(out.cpu, in.read<std::uint32_t>());
    PROF_CHECK(in.skip(4));
  }
  if (has(kPeriod)) {
    PROF_TRY(out.period, in.read<std::uint64_t>());
  }
  if (!has(kCallchain) || has(kRead)) return out; // counter values of a group stand before the chain
  PROF_TRY(const auto count, in.read<std::uint64_t>());
  for (std::uint64_t i = 0; i < count && out.chain.size() < kMaxDepth; ++i) {
    PROF_TRY(const auto ip, in.read<std::uint64_t>());
    out.chain.push_back(ip);
  }
  return out;
}

// Records beside samples end with the fields that say when, as a sample would.
std::uint64_t PerfData::time_of(const Record& record) const {
  const Event* event = record.type == kSample ? event_of(record.body) : &events_.front();
  if (event == nullptr) return 0;
  if (record.type == kSample) {
    const auto place = place_of(*event, record.body);
    return place ? place->time : 0;
  }
  if (!event->has_ids_everywhere || (event->sample_type & kTime) == 0) return 0;
  std::size_t behind = 8;
  for (const std::uint64_t bit : {kId, kStreamId, kCpu, kIdentifier})
    behind += (event->sample_type & bit) != 0 ? 8 : 0;
  if (record.body.size() < behind) return 0;
  ByteReader in(record.body.substr(record.body.size() - behind));
  const auto time = in.read<std::uint64_t>();
  return time ? *time : 0;
}

// The buffers of the CPUs stand one after the other: mappings must be known before the samples that need
// them.
void PerfData::read_records() {
  std::vector<Record> records;
  const std::string_view data = part(data_);
  for (ByteReader in(data); !in.is_done();) {
    const auto type = in.read<std::uint32_t>();
    const auto misc = in.read<std::uint16_t>();
    const auto size = in.read<std::uint16_t>();
    if (!type || !misc || !size || *size < 8) {
      is_cut_ = true; // without a length nothing after it can be found
      break;
    }
    const auto body = in.take(std::size_t{*size} - 8);
    if (!body) {
      is_cut_ = true;
      break;
    }
    Record record{.type = *type, .misc = *misc, .body = *body};
    record.time = time_of(record);
    records.push_back(record);
  }
  std::ranges::stable_sort(records, {}, &Record::time);
  for (const Record& record : records)
    take(record);
}

void PerfData::take(const Record& record) {
  Status status;
  ByteReader in(record.body);
  switch (record.type) {
  case kMmap:
  case kMmap2:
    status = mmap(record);
    break;
  case kComm:
    status = comm(record);
    break;
  case kFork:
    status = fork(record);
    break;
  case kSample:
    status = sample(record);
    break;
  case kLost:
    if (in.skip(8))
      if (const auto count = in.read<std::uint64_t>())
        lost_ += static_cast<std::int64_t>(std::min<std::uint64_t>(*count, 1U << 30U));
    break;
  case kLostSamples:
    if (const auto count = in.read<std::uint64_t>())
      lost_ += static_cast<std::int64_t>(std::min<std::uint64_t>(*count, 1U << 30U));
    break;
  case kCompressed:
    ++compressed_;
    break;
  default:
    break; // build ids, topology, throttling: nothing that a sample needs
  }
  if (!status) ++bad_;
}

Status PerfData::mmap(const Record& record) {
  ByteReader in(record.body);
  PROF_TRY(const auto pid, in.read<std::uint32_t>());
  PROF_CHECK(in.skip(4));
  PROF_TRY(const auto start, in.read<std::uint64_t>());
  PROF_TRY(const auto length, in.read<std::uint64_t>());
  PROF_TRY(const auto offset, in.read<std::uint64_t>());
  if (record.type == kMmap2) PROF_CHECK(in.skip(32)); // device, inode or build id, protection, flags
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
  ranges[start] = {.end = end, .file_offset = offset, .path = text_at_head(rest)};
  return {};
}

Id<Process> PerfData::process_of(std::uint32_t pid) {
  const auto [found, is_new] = processes_.try_emplace(pid);
  if (is_new) found->second = sink_.process({.pid = pid, .name = {}, .cmdline = {}});
  return found->second;
}

Status PerfData::comm(const Record& record) {
  constexpr std::uint16_t kExec = 1U << 13U;
  ByteReader in(record.body);
  PROF_TRY(const auto pid, in.read<std::uint32_t>());
  PROF_TRY(const auto tid, in.read<std::uint32_t>());
  PROF_TRY(const std::string_view rest, in.take(in.left()));
  names_[{pid, tid}] = text_at_head(rest);
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
Status PerfData::fork(const Record& record) {
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

Status PerfData::sample(const Record& record) {
  const Event* event = event_of(record.body);
  if (event == nullptr)
    return Error{Errc::malformed, "a sample of an event that the file does not describe", {}};
  PROF_TRY(const Place place, place_of(*event, record.body));
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
                .cpu = (event->sample_type & kCpu) != 0 ? static_cast<std::int32_t>(place.cpu) : -1,
                .callstack = frames.empty() ? Id<Callstack>{} : sink_.callstack({.frames = frames}),
                .event = texts_.intern(stacks::plain_event(event->name)),
                .weight = static_cast<std::int64_t>(std::min(place.period, limit))});
  sampled_.insert({place.pid, place.tid});
  ++samples_;
  return {};
}

Status PerfData::read() {
  if (!bytes_.starts_with(kMagic))
    return Error{Errc::unsupported, "the file was recorded on a machine of another byte order", {}};
  PROF_CHECK(read_header());
  read_records();
  name_threads();
  if (samples_ == 0) {
    return Error{Errc::malformed,
                 compressed_ > 0 ? "the records are compressed: record without -z"
                                 : "the file holds no sample",
                 {}};
  }
  sink_.metadata("format", "perf.data");
  say_available(sink_, "perf_data", words::kSignalStacks, samples_);
  say_note(sink_, Severity::data_loss, "note.perf.lost", lost_);
  say_note(sink_, Severity::data_loss, "note.perf.bad_record", bad_);
  say_note(sink_, Severity::data_loss, "note.perf.compressed", compressed_);
  say_note(sink_, Severity::data_loss, "note.json.cut", is_cut_ ? 1 : 0,
           fmt::format("offset {}", bytes_.size()));
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
