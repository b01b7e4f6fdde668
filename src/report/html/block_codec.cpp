#include "report/html/block_codec.hpp"

#include "report/html/page_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace prof {
namespace {

constexpr std::size_t kFields = 5;
using BlockColumns = std::array<std::vector<std::uint64_t>, kFields>;

unsigned width_of(const std::vector<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t v : values)
    all |= v;
  return static_cast<unsigned>(std::bit_width(all));
}

void pack_narrow(std::vector<std::uint32_t>& words, const std::vector<std::uint64_t>& values, unsigned shift,
                 unsigned width) {
  if (width == 0) return;
  const std::size_t base = words.size();
  words.resize(base + (values.size() * width + 31) / 32);
  const std::uint64_t mask = width == 32 ? 0xffffffffU : (1ULL << width) - 1;
  std::size_t bit = 0;
  for (const std::uint64_t value : values) {
    const std::uint64_t v = ((value >> shift) & mask) << (bit & 31);
    words[base + (bit >> 5)] |= static_cast<std::uint32_t>(v);
    if ((bit & 31) + width > 32) words[base + (bit >> 5) + 1] |= static_cast<std::uint32_t>(v >> 32);
    bit += width;
  }
}

void pack_column(std::vector<std::uint32_t>& words, const std::vector<std::uint64_t>& values,
                 unsigned width) {
  pack_narrow(words, values, 0, std::min(width, 32U));
  if (width > 32) pack_narrow(words, values, 32, width - 32);
}

BlockColumns columns_of(std::span<const RowItem> items, std::uint32_t least_arg) {
  BlockColumns columns;
  std::int64_t end = items.front().ts;
  std::uint32_t id = items.front().id;
  for (const RowItem& item : items) {
    columns[0].push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(0, item.ts - end)));
    columns[1].push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(0, item.dur)));
    columns[2].push_back(item.name);
    columns[3].push_back(item.id - id);
    columns[4].push_back(item.arg - least_arg);
    end = item.ts + item.dur;
    id = item.id;
  }
  return columns;
}

// Reads a column back; words outside the input read as 0.
class WordReader {
public:
  WordReader(std::string_view bytes, std::size_t first) : bytes_(bytes), first_(first) {}
  [[nodiscard]] std::uint32_t word(std::size_t i) const {
    const std::size_t at = first_ + i * 4;
    std::uint32_t value = 0;
    if (at + 4 <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, 4);
    return value;
  }
  std::size_t narrow(std::size_t at, std::size_t count, unsigned width, unsigned shift,
                     std::vector<std::uint64_t>& out) const {
    if (width == 0) return at;
    const std::uint64_t mask = width == 32 ? 0xffffffffU : (1ULL << width) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bit = i * width;
      const std::uint64_t pair = word(at + (bit >> 5)) | static_cast<std::uint64_t>(word(at + (bit >> 5) + 1))
                                                             << 32;
      out[i] |= ((pair >> (bit & 31)) & mask) << shift;
    }
    return at + (count * width + 31) / 32;
  }

private:
  std::string_view bytes_;
  std::size_t first_;
};

template <class T>
T read_at(std::string_view bytes, std::size_t at) {
  T value{};
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

} // namespace

std::string pack_row(std::span<const RowItem> items) {
  std::string starts, offsets, widths, ids, args;
  std::vector<std::uint32_t> words;
  for (std::size_t from = 0; from < items.size(); from += kBlockSlices) {
    const auto block = items.subspan(from, std::min(kBlockSlices, items.size() - from));
    std::uint32_t least_arg = block.front().arg;
    for (const RowItem& item : block)
      least_arg = std::min(least_arg, item.arg);
    const BlockColumns columns = columns_of(block, least_arg);
    put(starts, static_cast<double>(block.front().ts));
    put(offsets, static_cast<std::uint32_t>(words.size()));
    std::uint32_t packed_widths = 0;
    for (std::size_t f = 0; f < kFields; ++f) {
      const unsigned width = width_of(columns[f]);
      packed_widths |= width << (6 * f);
      pack_column(words, columns[f], width);
    }
    put(widths, packed_widths);
    put(ids, block.front().id);
    put(args, least_arg);
  }
  std::string out = starts + offsets + widths + ids + args;
  for (const std::uint32_t word : words)
    put(out, word);
  put(out, std::uint32_t{0}); // a reader may touch one word past the last value
  return out;
}

std::vector<RowItem> unpack_row(std::string_view bytes, std::size_t count) {
  std::vector<RowItem> items;
  const std::size_t blocks = (count + kBlockSlices - 1) / kBlockSlices;
  const WordReader reader(bytes, blocks * 24);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t n = std::min(kBlockSlices, count - b * kBlockSlices);
    std::size_t at = read_at<std::uint32_t>(bytes, blocks * 8 + b * 4);
    const auto widths = read_at<std::uint32_t>(bytes, blocks * 12 + b * 4);
    BlockColumns columns;
    for (std::size_t f = 0; f < kFields; ++f) {
      columns[f].assign(n, 0);
      const unsigned width = widths >> (6 * f) & 63U;
      at = reader.narrow(at, n, std::min(width, 32U), 0, columns[f]);
      if (width > 32) at = reader.narrow(at, n, width - 32, 32, columns[f]);
    }
    // Unsigned: times that nobody packed may wrap, and must not be worse than wrong.
    const auto start = read_at<double>(bytes, b * 8);
    auto t = start >= 0 && start < 0x1p63 ? static_cast<std::uint64_t>(start) : 0;
    auto id = read_at<std::uint32_t>(bytes, blocks * 16 + b * 4);
    const auto least_arg = read_at<std::uint32_t>(bytes, blocks * 20 + b * 4);
    for (std::size_t i = 0; i < n; ++i) {
      t += columns[0][i];
      id += static_cast<std::uint32_t>(columns[3][i]);
      items.push_back({static_cast<std::int64_t>(t), static_cast<std::int64_t>(columns[1][i]),
                       static_cast<std::uint32_t>(columns[2][i]), id,
                       least_arg + static_cast<std::uint32_t>(columns[4][i])});
      t += columns[1][i];
    }
  }
  return items;
}

} // namespace prof
