// packet_file.hpp: appends TracePackets to a file, in compressed groups. Everything that reached the file is
// whole packets.
#pragma once
#include "base/result.hpp"
#include "tracefile/writer.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof::detail {

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
  // flush + close; the file can take nothing afterwards.
  void close();
  [[nodiscard]] Status status() const;
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }         // in the file
  [[nodiscard]] std::int64_t raw_bytes() const { return raw_bytes_; } // of packets added

private:
  PacketFile() = default;
  [[nodiscard]] bool is_open() const { return fd_ >= 0 || take_; }
  void write(std::string_view bytes);
  std::filesystem::path path_;
  PacketTaker take_;
  WriterOptions options_;
  std::string group_, packed_;
  std::int64_t bytes_ = 0, raw_bytes_ = 0;
  Status status_;
  int fd_ = -1;
};

} // namespace prof::detail
