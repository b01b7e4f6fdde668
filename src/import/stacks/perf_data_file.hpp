// perf_data_file.hpp: how a perf.data file is built: a header that says where things are, events with what
// their samples hold, records with their times. What the records mean for a trace is the reader's.
#pragma once
#include "base/byte_reader.hpp"
#include "base/result.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace prof::stacks {

inline constexpr std::string_view kPerfMagic =
    "PERFILE2"; // little-endian; a file of another byte order reads backwards

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
  kAuxTrace = 71,
  kCompressed = 81,
  kCompressed2 = 83
};
// Records of the kernel count from 1, perf's own from 64; linux/perf_event.h and perf's event.h know these.
[[nodiscard]] inline bool is_known_record(std::uint32_t type) {
  constexpr std::uint32_t kLastOfKernel = 22, kFirstOfPerf = 64, kLastOfPerf = 84;
  return (type >= kMmap && type <= kLastOfKernel) || (type >= kFirstOfPerf && type <= kLastOfPerf);
}

// Text of a record: up to its first zero.
[[nodiscard]] inline std::string_view text_at_head(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

struct PerfEvent {
  std::uint64_t sample_type = 0, period = 1;
  std::string name;
  bool has_ids_everywhere = false;
};
// What a sample or another record holds of where and when it was taken.
struct PerfPlace {
  std::uint64_t ip = 0, time = 0, id = 0, period = 1;
  std::uint32_t pid = 0, tid = 0, cpu = 0;
  std::vector<std::uint64_t> chain;
};
struct PerfRecord {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::uint64_t time = 0;
  std::string_view body;
};

// Texts and bodies of records are views into the bytes of the file.
class PerfDataFile {
public:
  explicit PerfDataFile(std::string_view bytes) : bytes_(bytes) {}
  // The header. Errors: unsupported (another byte order, a pipe), malformed.
  [[nodiscard]] Status read_header();
  // All records by time: the buffers of the CPUs stand one after the other, and mappings must be known before
  // the samples that need them.
  [[nodiscard]] std::vector<PerfRecord> records();
  // Which event a sample is of; nullptr: one that the file does not describe.
  [[nodiscard]] const PerfEvent* event_of(std::string_view body) const;
  // Where and when a sample of this event was taken.
  [[nodiscard]] Result<PerfPlace> place_of(const PerfEvent& event, std::string_view body) const;
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  [[nodiscard]] bool has_bad_names() const { return has_bad_names_; }

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
  Status read_events(Section attrs, std::uint64_t attr_size);
  [[nodiscard]] bool are_features_cut(std::string_view features) const;
  void read_names(Section data, std::string_view features);
  [[nodiscard]] std::uint64_t time_of(const PerfRecord& record) const;

  std::string_view bytes_;
  Section data_;
  std::vector<PerfEvent> events_;
  std::map<std::uint64_t, std::size_t> event_of_id_;
  bool is_cut_ = false, has_bad_names_ = false;
};

} // namespace prof::stacks
