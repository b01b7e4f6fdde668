// fake_ring.hpp: a ring file of our own making, in the name of a living process, with whatever a hostile
// process could write into it. Nothing of the SDK's writer is used.
#pragma once
#include "capture/procfs.hpp"
#include "recording.hpp"
#include "sdk/ring_layout.hpp"

#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof::test {

class FakeRing {
public:
  static constexpr std::uint32_t kSlots = 2;

  explicit FakeRing(std::int64_t pid, std::string_view mark = "fake")
      : path_((registry() / (std::to_string(pid) + "-" + std::string(mark) + ".ring")).string()) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    names_offset_ = sdk::kHeaderBytes + kSlots * sizeof(sdk::SlotControl);
    ops_offset_ = names_offset_ + sdk::kNamesBytes;
    rings_offset_ = ops_offset_ + std::uint64_t{sdk::kOpCount} * sizeof(sdk::RingOp);
    bytes_ = rings_offset_ + std::uint64_t{kSlots} * sdk::kRingRecords * sizeof(sdk::RingRecord);
    EXPECT_EQ(::ftruncate(fd_, static_cast<off_t>(bytes_)), 0);
    map_ = static_cast<char*>(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0));
    EXPECT_NE(map_, MAP_FAILED);
    struct stat info{};
    ::stat("/proc/self/ns/pid", &info);
    sdk::RingHeader& h = header();
    std::memcpy(h.magic, sdk::kRingMagic, sizeof h.magic);
    h.version = sdk::kRingVersion;
    h.slot_count = kSlots;
    h.ring_records = sdk::kRingRecords;
    h.op_count = sdk::kOpCount;
    h.slots_offset = sdk::kHeaderBytes;
    h.names_offset = names_offset_;
    h.ops_offset = ops_offset_;
    h.rings_offset = rings_offset_;
    h.file_bytes = bytes_;
    h.names_bytes = sdk::kNamesBytes;
    h.pid = static_cast<std::uint32_t>(pid);
    h.uid = ::geteuid();
    const auto stat = read_stat("/proc", pid);
    h.pid_start = stat ? static_cast<std::uint64_t>(stat->start_ticks) : 1;
    h.pid_ns = info.st_ino;
    h.clock = sdk::ClockKind::monotonic_ns; // ticks are ns: what goes in must come out
    h.base_ticks = static_cast<std::uint64_t>(now_monotonic().ns);
    h.base_ns = static_cast<std::int64_t>(h.base_ticks);
    h.names_used = sdk::kNameAlign;
    h.ops_used = 1;
    h.slots_used = 1;
  }
  FakeRing(const FakeRing&) = delete;
  FakeRing& operator=(const FakeRing&) = delete;
  ~FakeRing() {
    ::munmap(map_, bytes_);
    ::close(fd_);
    ::unlink(path_.c_str());
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] sdk::RingHeader& header() const { return *reinterpret_cast<sdk::RingHeader*>(map_); }
  [[nodiscard]] sdk::SlotControl& slot(std::uint32_t number) const {
    return reinterpret_cast<sdk::SlotControl*>(map_ + sdk::kHeaderBytes)[number];
  }
  // A text as the SDK would keep it. `told_length` may lie.
  std::uint32_t name(std::string_view text, std::int64_t told_length = -1) {
    const std::uint32_t at = header().names_used;
    const auto length =
        static_cast<std::uint32_t>(told_length < 0 ? static_cast<std::int64_t>(text.size()) : told_length);
    std::memcpy(map_ + names_offset_ + at, &length, sizeof length);
    std::memcpy(map_ + names_offset_ + at + sizeof length, text.data(), text.size());
    const auto kept = static_cast<std::uint32_t>(sizeof length + text.size());
    header().names_used = at + (kept + sdk::kNameAlign - 1) / sdk::kNameAlign * sdk::kNameAlign;
    return at / sdk::kNameAlign;
  }
  std::uint32_t op(const sdk::RingOp& row) {
    const std::uint32_t id = header().ops_used;
    std::memcpy(map_ + ops_offset_ + std::uint64_t{id} * sizeof row, &row, sizeof row);
    header().ops_used = id + 1;
    return id;
  }
  void put(const sdk::RingRecord& record, std::uint32_t number = 0) {
    const std::uint64_t head = slot(number).head;
    place(record, head, number);
    slot(number).head = head + 1;
  }
  // Writes a record without telling of it.
  void place(const sdk::RingRecord& record, std::uint64_t index, std::uint32_t number = 0) {
    const std::uint64_t at = std::uint64_t{number} * sdk::kRingRecords + (index & (sdk::kRingRecords - 1));
    std::memcpy(map_ + rings_offset_ + at * sizeof record, &record, sizeof record);
  }
  // The record that says whose the next ones are.
  void enter(std::int64_t tid, std::uint32_t number = 0) {
    put({.ts = now(),
         .a = static_cast<std::uint64_t>(tid),
         .b = 1,
         .name = 0,
         .kind = sdk::RecordKind::thread,
         .flags = 0,
         .depth = 0},
        number);
  }
  void begin(std::uint32_t name, std::uint16_t depth, std::uint8_t kind = 0, std::uint64_t request = 0) {
    put({.ts = now(),
         .a = request,
         .b = 0,
         .name = name,
         .kind = sdk::RecordKind::span_begin,
         .flags = kind,
         .depth = depth});
  }
  void end(std::uint16_t depth) {
    put({.ts = now(),
         .a = 0,
         .b = 0,
         .name = 0,
         .kind = sdk::RecordKind::span_end,
         .flags = 0,
         .depth = depth});
  }
  [[nodiscard]] static std::uint64_t now() { return static_cast<std::uint64_t>(now_monotonic().ns); }

private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t names_offset_ = 0, ops_offset_ = 0, rings_offset_ = 0, bytes_ = 0;
  char* map_ = nullptr;
};

} // namespace prof::test
