#include "recording.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace prof::test {

namespace {
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "prof-sdk-test-XXXXXX").string();
    path = mkdtemp(name.data());
    setenv("PROF_REGISTRY", path.c_str(), 1);
  }
  ~Folder() {
    std::error_code ignored;
    if (owner == getpid()) std::filesystem::remove_all(path, ignored);
  }
  pid_t owner = getpid();
};
const Folder g_folder;

std::string to_text(const ArgValue& value, const StringPool& pool) {
  if (const auto* text = std::get_if<StrId>(&value)) return std::string(pool.text(*text));
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::to_string(std::get<double>(value));
}
} // namespace

const std::filesystem::path& registry() {
  return g_folder.path;
}

Id<Track> MemorySink::track(const Track& row) {
  if (row.kind == TrackKind::thread) {
    const auto [it, is_new] =
        thread_tracks_.try_emplace(row.thread.row, static_cast<std::uint32_t>(tracks.size()));
    if (!is_new) return {it->second};
  }
  tracks.emplace_back(pool.text(row.name));
  track_tids.push_back(row.kind == TrackKind::thread ? static_cast<std::int64_t>(row.thread.row) : -1);
  return {static_cast<std::uint32_t>(tracks.size() - 1)};
}

Id<CounterTrack> MemorySink::counter_track(const CounterTrack& row) {
  counter_tracks_.emplace_back(pool.text(row.name), pool.text(row.unit));
  return {static_cast<std::uint32_t>(counter_tracks_.size() - 1)};
}
void MemorySink::counter(Id<CounterTrack> track, Ts, double value) {
  counters.push_back({counter_tracks_.at(track.row).first, counter_tracks_.at(track.row).second, value});
}

void MemorySink::slice(const Slice& row) {
  SliceRow out{.name = std::string(pool.text(row.name)),
               .category = std::string(pool.text(row.category)),
               .ts = row.ts.ns,
               .dur = row.dur.ns,
               .track = row.track.row,
               .args = {},
               .flows_out = {row.flows_out.begin(), row.flows_out.end()},
               .flows_in = {row.flows_in.begin(), row.flows_in.end()}};
  for (const Arg& arg : row.args)
    out.args.emplace(pool.text(arg.key), to_text(arg.value, pool));
  slices.push_back(std::move(out));
}

std::vector<SliceRow> MemorySink::of(std::string_view category) const {
  std::vector<SliceRow> out;
  for (const SliceRow& row : slices)
    if (row.category == category) out.push_back(row);
  return out;
}
std::size_t MemorySink::count(std::string_view name) const {
  std::size_t n = 0;
  for (const SliceRow& row : slices)
    n += row.name == name ? 1 : 0;
  return n;
}
const SliceRow& MemorySink::one(std::string_view name) const {
  static const SliceRow none;
  EXPECT_EQ(count(name), 1u) << name;
  for (const SliceRow& row : slices)
    if (row.name == name) return row;
  return none;
}

const CollectorInfo* annotations() {
  for (const CollectorInfo* info : all_collectors())
    if (info->name == "annotations") return info;
  return nullptr;
}

std::string ring_file(std::int64_t pid) {
  for (const SdkRingFile& file : list_sdk_ring_files())
    if (file.pid == pid) return file.path;
  return {};
}

Recorder::Recorder(std::int64_t pid, double sampling_rate) {
  auto opened = SdkRing::open(ring_file(pid));
  EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().what);
  if (!opened) return;
  ring = std::move(*opened);
  const Status attached = ring->attach(sampling_rate);
  EXPECT_TRUE(attached.ok()) << (attached.ok() ? "" : attached.error().what);
  decoder = std::make_unique<SdkDecoder>(*ring, "/proc");
  const sdk::ClockPair first = sdk::read_clock_pair(ring->clock());
  timespec wait{.tv_sec = 0, .tv_nsec = 5'000'000};
  nanosleep(&wait, nullptr);
  clock_ = std::make_unique<TickClock>(first, sdk::read_clock_pair(ring->clock()));
}

void Recorder::drain() {
  ring->drain(
      [&](std::uint32_t slot, const sdk::RingRecord& record) { decoder->take(slot, record, *clock_, sink); });
  decoder->end_of_round(sink);
}
MemorySink& Recorder::stop() {
  ring->detach();
  drain();
  decoder->finish(now_monotonic(), sink);
  return sink;
}

} // namespace prof::test
