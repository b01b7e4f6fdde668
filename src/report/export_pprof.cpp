// export_pprof.cpp: profile.proto of github.com/google/pprof, gzipped: samples with their request, stage,
// operator and thread as labels (pprof -tagfocus, -tagroot).
#include "base/yaml_writer.hpp"
#include "report/export_view.hpp"
#include "report/html/page_bytes.hpp"
#include "report/sample_groups.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <zlib.h>

namespace prof {
namespace {

using protozero::pbf_writer;

// Field numbers of profile.proto.
namespace field {
constexpr std::uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5,
                        kStringTable = 6, kTimeNanos = 9, kDurationNanos = 10;
constexpr std::uint32_t kType = 1, kUnit = 2;                            // ValueType
constexpr std::uint32_t kLocationId = 1, kValue = 2, kLabel = 3;         // Sample
constexpr std::uint32_t kLabelKey = 1, kLabelText = 2, kLabelNumber = 3; // Label
constexpr std::uint32_t kId = 1;                                         // Mapping, Location, Function
constexpr std::uint32_t kStart = 2, kLimit = 3, kOffset = 4, kFile = 5, kBuildId = 6, kHasFunctions = 7,
                        kHasFilenames = 8, kHasLines = 9;          // Mapping
constexpr std::uint32_t kMappingId = 2, kAddress = 3, kLine = 4;   // Location
constexpr std::uint32_t kFunctionId = 1, kLineNumber = 2;          // Line
constexpr std::uint32_t kName = 2, kSystemName = 3, kFilename = 4; // Function
} // namespace field

class PprofWriter {
public:
  explicit PprofWriter(const Store& store) : store_(store), t_(store.tables()) { string(""); }

  std::string run() {
    const detail::SampleGroups all = detail::group_samples(store_);
    const bool is_cpu = store_.text(all.event) == words::kEventCpu;
    value_type("samples", "count");
    value_type(is_cpu                ? "cpu"
               : all.is_time_off_cpu ? "off_cpu"
                                     : store_.text(all.event),
               is_cpu || all.is_time_off_cpu ? "nanoseconds" : "count");
    std::vector<bool> is_used(t_.frame.function.size(), false);
    for (const detail::SampleGroup& group : all.groups)
      sample(group, is_used);
    mappings();
    for (std::uint32_t frame = 0; frame < is_used.size(); ++frame)
      if (is_used[frame]) location(frame);
    for (const auto& [key, id] : functions_)
      function(key, id);
    for (const std::string& text : strings_)
      out_.add_string(field::kStringTable, text);
    const std::string_view start = store_.metadata("start_realtime_ns");
    out_.add_int64(field::kTimeNanos, std::strtoll(std::string(start).c_str(), nullptr, 10));
    out_.add_int64(field::kDurationNanos, (store_.end() - store_.start()).ns);
    return std::move(bytes_);
  }

private:
  using FunctionKey = std::pair<StrId, StrId>; // name, file

  std::int64_t string(std::string_view text) {
    const auto [at, is_new] =
        string_ids_.emplace(valid_utf8(text), static_cast<std::int64_t>(strings_.size()));
    if (is_new) strings_.push_back(at->first);
    return at->second;
  }
  std::int64_t string(StrId id) { return string(store_.text(id)); }

  void value_type(std::string_view type, std::string_view unit) {
    pbf_writer message(out_, field::kSampleType);
    message.add_int64(field::kType, string(type));
    message.add_int64(field::kUnit, string(unit));
  }
  void label(pbf_writer& sample, std::string_view key, StrId value) {
    if (value.is_empty()) return;
    const std::int64_t key_id = string(key), text_id = string(value);
    pbf_writer message(sample, field::kLabel);
    message.add_int64(field::kLabelKey, key_id);
    message.add_int64(field::kLabelText, text_id);
  }
  void sample(const detail::SampleGroup& group, std::vector<bool>& is_used) {
    std::vector<std::uint64_t> locations;
    for (const std::uint32_t frame : detail::frames_of(store_, group.callstack)) {
      locations.push_back(frame + 1ULL);
      is_used[frame] = true;
    }
    const std::int64_t values[] = {group.count, group.weight};
    pbf_writer message(out_, field::kSample);
    message.add_packed_uint64(field::kLocationId, locations.begin(), locations.end());
    message.add_packed_int64(field::kValue, std::begin(values), std::end(values));
    label(message, "request", group.request);
    label(message, "stage", group.stage);
    label(message, "operator", group.op);
    if (group.thread == kNoRow) return;
    label(message, "thread", t_.thread.name[group.thread]);
    const std::int64_t key = string("tid");
    pbf_writer tid(message, field::kLabel);
    tid.add_int64(field::kLabelKey, key);
    tid.add_int64(field::kLabelNumber, t_.thread.tid[group.thread]);
  }
  void mappings() {
    for (std::uint32_t i = 0; i < t_.mapping.path.size(); ++i) {
      const std::int64_t path = string(t_.mapping.path[i]), build_id = string(t_.mapping.build_id[i]);
      pbf_writer message(out_, field::kMapping);
      message.add_uint64(field::kId, i + 1ULL);
      message.add_uint64(field::kStart, t_.mapping.start[i]);
      message.add_uint64(field::kLimit, t_.mapping.end[i]);
      message.add_uint64(field::kOffset, t_.mapping.file_offset[i]);
      message.add_int64(field::kFile, path);
      message.add_int64(field::kBuildId, build_id);
      for (const std::uint32_t known : {field::kHasFunctions, field::kHasFilenames, field::kHasLines})
        message.add_bool(known, true); // symbols are resolved: pprof need not look for the binary
    }
  }
  // One location a frame: inlined functions are frames of their own in our stacks already.
  void location(std::uint32_t frame) {
    const FunctionKey key{t_.frame.function[frame], t_.frame.source_file[frame]};
    const std::uint64_t function = functions_.try_emplace(key, functions_.size() + 1).first->second;
    const std::uint32_t mapping = t_.frame.mapping[frame];
    pbf_writer message(out_, field::kLocation);
    message.add_uint64(field::kId, frame + 1ULL);
    if (mapping != kNoRow) message.add_uint64(field::kMappingId, mapping + 1ULL);
    message.add_uint64(field::kAddress,
                       t_.frame.rel_pc[frame] + (mapping == kNoRow ? 0 : t_.mapping.start[mapping]));
    pbf_writer line(message, field::kLine);
    line.add_uint64(field::kFunctionId, function);
    line.add_int64(field::kLineNumber, t_.frame.line[frame]);
  }
  void function(const FunctionKey& key, std::uint64_t id) {
    const std::int64_t name = string(key.first), file = string(key.second);
    pbf_writer message(out_, field::kFunction);
    message.add_uint64(field::kId, id);
    message.add_int64(field::kName, name);
    message.add_int64(field::kSystemName, name);
    message.add_int64(field::kFilename, file);
  }

  const Store& store_;
  const Tables& t_;
  std::string bytes_;
  pbf_writer out_{bytes_};
  std::map<std::string, std::int64_t> string_ids_;
  std::vector<std::string> strings_;
  std::map<FunctionKey, std::uint64_t> functions_;
};

// RFC 1952 around raw deflate; no name and no time, so that equal profiles are equal files.
Result<std::string> gzip(std::string_view bytes) {
  PROF_TRY(const std::string packed, deflate_raw(bytes));
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
  out += packed;
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  for (const std::uint64_t word : {std::uint64_t{crc}, std::uint64_t{bytes.size()}})
    for (unsigned shift = 0; shift < 32; shift += 8)
      out += static_cast<char>(word >> shift & 0xFFU);
  return out;
}

} // namespace

Status export_pprof(const Store& store, const ByteSink& out) {
  PROF_TRY(const std::string file, gzip(PprofWriter(store).run()));
  return out(file);
}

} // namespace prof
