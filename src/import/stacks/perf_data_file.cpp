#include "import/stacks/perf_data_file.hpp"
#include "base/lang.hpp"

#include <bit>
#include <fmt/format.h>
#include <utility>

namespace prof::stacks {
namespace {

constexpr std::size_t kMaxDepth = 4096;    // frames of one stack; the ones beyond are left out
constexpr unsigned kEventDescription = 12; // feature

} // namespace

Status PerfDataFile::read_header() {
  if (!bytes_.starts_with(kPerfMagic)) return error_said(Errc::unsupported, "error.byte_order", {});
  ByteReader header(bytes_.substr(0, 104));
  PROF_CHECK(header.skip(kPerfMagic.size()));
  PROF_TRY(const auto size, header.read<std::uint64_t>());
  if (size < 104) return error_said(Errc::unsupported, "error.perf_pipe", {});
  PROF_TRY(const auto attr_size, header.read<std::uint64_t>());
  PROF_TRY(const Section attrs, section(header));
  PROF_TRY(data_, section(header));
  PROF_CHECK(read_events(attrs, attr_size));
  PROF_TRY([[maybe_unused]] const Section old_names, section(header));
  PROF_TRY(const std::string_view features, header.take(32));
  // The size is written last, and what stands behind the data after it: perf was killed.
  if (data_.size == 0 && data_.offset < bytes_.size()) {
    data_.size = bytes_.size() - data_.offset;
    is_cut_ = true;
    return {};
  }
  is_cut_ = data_.offset + data_.size > bytes_.size();
  if (!is_cut_) is_cut_ = are_features_cut(features);
  if (data_.offset + data_.size <= bytes_.size()) read_names(data_, features);
  return {};
}

Status PerfDataFile::read_events(Section attrs, std::uint64_t attr_size) {
  constexpr unsigned kFrequency = 10, kSampleIdAll = 18;
  constexpr std::size_t kIdsSection = 16;
  if (attr_size < 48 + kIdsSection || attr_size > 4096)
    return error_said(Errc::malformed, "error.header_damaged", {});
  const std::string_view list = part(attrs);
  for (std::size_t at = 0; at + attr_size <= list.size(); at += attr_size) {
    ByteReader attr(list.substr(at, attr_size));
    PROF_CHECK(attr.skip(16)); // type, size, config
    PerfEvent event;
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
  if (events_.empty()) return error_said(Errc::malformed, "error.no_event_described", {});
  return {};
}

// Features stand behind the data: first where each of them is, then they themselves.
bool PerfDataFile::are_features_cut(std::string_view features) const {
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
void PerfDataFile::read_names(Section data, std::string_view features) {
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
  has_bad_names_ = !read().ok();
}

// Which event a sample is of: its identifier stands first where events differ in what they hold.
const PerfEvent* PerfDataFile::event_of(std::string_view body) const {
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

Result<PerfPlace> PerfDataFile::place_of(const PerfEvent& event, std::string_view body) const {
  ByteReader in(body);
  PerfPlace out;
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
std::uint64_t PerfDataFile::time_of(const PerfRecord& record) const {
  const PerfEvent* event = record.type == kSample ? event_of(record.body) : &events_.front();
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

std::vector<PerfRecord> PerfDataFile::records() {
  std::vector<PerfRecord> records;
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
    if (*type == kAuxTrace) { // bytes of a tracing unit follow, which the record's size leaves out
      const auto follow = ByteReader(*body).read<std::uint64_t>();
      if (!follow || !in.skip(static_cast<std::size_t>(*follow))) is_cut_ = true;
      if (is_cut_) break;
    }
    PerfRecord record{.type = *type, .misc = *misc, .body = *body};
    record.time = time_of(record);
    records.push_back(record);
  }
  std::ranges::stable_sort(records, {}, &PerfRecord::time);
  return records;
}

} // namespace prof::stacks
