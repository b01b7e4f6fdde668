#include "import/sqlite/wal_file.hpp"

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace prof {
namespace {

// Format: https://sqlite.org/fileformat2.html#the_write_ahead_log
constexpr std::size_t kHeader = 32, kFrameHeader = 24;
constexpr std::size_t kMagic = 0, kPageSize = 8, kSalt = 16, kHeaderSum = 24; // in the header
constexpr std::size_t kPagesOfCommit = 4, kFrameSalt = 8, kFrameSum = 16;     // in that of a frame
constexpr std::size_t kSaltSize = 8, kSummedOfHeader = 24, kSummedOfFrame = 8;
constexpr std::uint32_t kLeastPage = 512, kMostPage = 65'536;

std::uint32_t word_at(std::string_view bytes, std::size_t at, bool is_big_endian) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i)
    out = out << 8U | static_cast<unsigned char>(bytes[at + (is_big_endian ? i : 3 - i)]);
  return out;
}

// The running sums: of two words at a time, in the byte order that the magic number names.
class Checksum {
public:
  explicit Checksum(bool is_big_endian) : is_big_endian_(is_big_endian) {}
  void add(std::string_view bytes) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      first_ += word_at(bytes, at, is_big_endian_) + second_;
      second_ += word_at(bytes, at + 4, is_big_endian_) + first_;
    }
  }
  [[nodiscard]] bool is_at(std::string_view bytes, std::size_t at) const {
    return word_at(bytes, at, true) == first_ && word_at(bytes, at + 4, true) == second_;
  }

private:
  bool is_big_endian_;
  std::uint32_t first_ = 0, second_ = 0;
};

} // namespace

WalState check_wal(const std::filesystem::path& log) {
  std::ifstream in(log, std::ios::binary);
  std::string head(kHeader, '\0');
  if (!in.read(head.data(), kHeader)) return {};
  Checksum sum((word_at(head, kMagic, true) & 1U) != 0);
  sum.add(std::string_view(head).substr(0, kSummedOfHeader));
  const std::uint32_t page = word_at(head, kPageSize, true);
  if (!sum.is_at(head, kHeaderSum) || page < kLeastPage || page > kMostPage || (page & (page - 1)) != 0)
    return {};
  std::string frame(kFrameHeader + page, '\0');
  bool is_broken = false;
  std::int64_t frames = 0, applied = 0, last_lost = 0;
  while (in.read(frame.data(), static_cast<std::streamsize>(frame.size()))) {
    ++frames;
    // Behind the end stands what is left of an older log, under another salt.
    const bool is_of_this_log = frame.compare(kFrameSalt, kSaltSize, head, kSalt, kSaltSize) == 0;
    if (!is_broken) {
      sum.add(std::string_view(frame).substr(0, kSummedOfFrame));
      sum.add(std::string_view(frame).substr(kFrameHeader));
      is_broken = !is_of_this_log || !sum.is_at(frame, kFrameSum);
      if (!is_broken && word_at(frame, kPagesOfCommit, true) != 0) applied = frames;
    }
    if (is_broken && is_of_this_log) last_lost = frames;
  }
  return {.is_header_good = true, .frames_left_out = last_lost > 0 ? last_lost - applied : 0};
}

} // namespace prof
