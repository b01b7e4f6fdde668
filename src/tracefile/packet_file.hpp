// packet_file.hpp: appends TracePackets to a file, in compressed groups. Everything that reached the file is
// whole packets. A live recording gets its name when there is something in it: until then what the name stood
// for before is there, and a disk that is full leaves it so.
#pragma once
#include "base/file.hpp"
#include "tracefile/writer.hpp"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct libdeflate_compressor;

namespace prof::detail {

struct CompressorEnd {
  void operator()(libdeflate_compressor* compressor) const;
};

// Not thread-safe. After the first error it drops everything and status() keeps the error.
class PacketFile {
public:
  [[nodiscard]] static Result<PacketFile> create(const std::filesystem::path& path, WriterOptions options);
  // No file: whole groups are handed to `take`.
  [[nodiscard]] static PacketFile into(PacketTaker take, WriterOptions options);
  PacketFile(PacketFile&& other) noexcept;
  PacketFile& operator=(PacketFile&&) = delete;
  PacketFile(const PacketFile&) = delete;
  PacketFile& operator=(const PacketFile&) = delete;
  ~PacketFile();

  // Appends one TracePacket (its bytes, without the frame) to the current group; writes the group when it is
  // full.
  void add(std::string_view packet);
  // Writes the current group. `is_plain` leaves it uncompressed: what a tool must find without inflating.
  void flush(bool is_plain = false);
  // Everything written so far is on the disk's side, under the file's name. What a disk that is full lets in
  // of the rest is cut off again: some tracks would go on where others have stopped.
  void appear();
  // flush + appear + close; the file can take nothing afterwards.
  void close();
  // Closes without writing anything more: a file that has not appeared leaves nothing.
  void abandon();
  [[nodiscard]] Status status() const;
  // Under the file's name.
  [[nodiscard]] std::int64_t bytes() const { return live_ && !live_->is_in_place() ? 0 : bytes_; }
  [[nodiscard]] std::int64_t raw_bytes() const { return raw_bytes_; } // of packets added
  // The number of the group that a small packet is added to next.
  [[nodiscard]] std::int64_t group() const { return groups_; }
  [[nodiscard]] bool is_nearly_full() const { return std::ssize(group_) + kRoom > limit(); }

private:
  PacketFile() = default;
  [[nodiscard]] bool is_open() const { return fd_ >= 0 || take_ || (live_ && is_live_open_); }
  [[nodiscard]] Status open_in_place();
  void write(std::string_view bytes);
  [[nodiscard]] bool pack();
  [[nodiscard]] std::int64_t limit() const;
  static constexpr std::int64_t kRoom = 1024; // a row and what it defines, as a rule
  std::filesystem::path path_;
  PacketTaker take_;
  WriterOptions options_;
  std::string group_, packed_;
  std::unique_ptr<libdeflate_compressor, CompressorEnd> compressor_; // made for the first group
  std::int64_t bytes_ = 0, kept_ = 0, raw_bytes_ = 0, groups_ = 0;   // kept_: when it last appeared
  Status status_;
  std::optional<AtomicFile> live_; // kept when closed: it knows whether it is in place
  bool is_live_open_ = false;
  int fd_ = -1; // of a file that is written in place
};

} // namespace prof::detail
