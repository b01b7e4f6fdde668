// seal_samples.cpp: gives frames their symbols, expands inlined functions, and sorts samples.
#include "store/building.hpp"

#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace prof::detail {
namespace {

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Symbols sorted by (path, rel_pc, inline depth); of several for one place the last one said wins.
void sort_symbols(std::vector<RawSymbol>& symbols) {
  const auto key = [](const RawSymbol& s) { return std::tuple(s.path.row, s.rel_pc, s.inline_depth); };
  std::ranges::stable_sort(symbols, {}, key);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (kept > 0 && key(symbols[kept - 1]) == key(symbols[i]))
      symbols[kept - 1] = symbols[i];
    else
      symbols[kept++] = symbols[i];
  }
  symbols.resize(kept);
}

class FrameSealer {
public:
  explicit FrameSealer(Building& b) : b_(b) { sort_symbols(b.symbols); }

  // Appends the sealed frames of a raw frame, outermost first.
  void expand(std::uint32_t raw, std::vector<std::uint32_t>& out) {
    const FrameTable& frames = b_.raw_frame;
    const std::uint32_t mapping = frames.mapping[raw];
    const StrId path = mapping == kNoRow ? StrId{} : b_.t.mapping.path[mapping];
    const auto key = [](const RawSymbol& s) { return std::pair(s.path.row, s.rel_pc); };
    const auto range = std::ranges::equal_range(b_.symbols, std::pair(path.row, frames.rel_pc[raw]), {}, key);
    bool is_named = false;
    for (const RawSymbol& symbol : range) {
      if (symbol.function.is_empty()) continue;
      out.push_back(intern(raw, symbol.function, symbol.source_file, symbol.line));
      is_named = true;
    }
    if (is_named) return;
    const StrId function = frames.function[raw].is_empty() ? placeholder(raw, path) : frames.function[raw];
    out.push_back(intern(raw, function, frames.source_file[raw], frames.line[raw]));
  }

private:
  StrId placeholder(std::uint32_t raw, StrId path) {
    const std::uint64_t pc = b_.raw_frame.rel_pc[raw];
    if (!path.is_empty())
      return b_.strings.intern(fmt::format("{}+{:#x}", base_name(b_.strings.text(path)), pc));
    const std::string_view where = b_.raw_frame.kind[raw] == FrameKind::kernel ? "[kernel]+" : "";
    return b_.strings.intern(fmt::format("{}{:#x}", where, pc));
  }
  std::uint32_t intern(std::uint32_t raw, StrId function, StrId file, std::uint32_t line) {
    FrameTable& out = b_.t.frame;
    const FrameTable& in = b_.raw_frame;
    const std::uint64_t hash =
        mix(mix(mix(in.mapping[raw], in.rel_pc[raw]), line), mix(function.row, file.row));
    const auto is_same = [&](std::uint32_t i) {
      return out.mapping[i] == in.mapping[raw] && out.rel_pc[i] == in.rel_pc[raw] &&
             out.function[i] == function && out.source_file[i] == file && out.line[i] == line &&
             out.kind[i] == in.kind[raw];
    };
    return index_.find_or_add(hash, is_same, [&] {
      out.function.push_back(function);
      out.source_file.push_back(file);
      out.mapping.push_back(in.mapping[raw]);
      out.line.push_back(line);
      out.rel_pc.push_back(in.rel_pc[raw]);
      out.kind.push_back(in.kind[raw]);
      return static_cast<std::uint32_t>(out.function.size() - 1);
    });
  }
  Building& b_;
  RowIndex index_;
};

// The sealed prefix tree; returns the sealed leaf of every raw node.
std::vector<std::uint32_t> build_callstacks(Building& b) {
  FrameSealer sealer(b);
  std::vector<std::uint32_t> frame_begin{0}, frames;
  for (std::uint32_t raw = 0; raw < b.raw_frame.function.size(); ++raw) {
    sealer.expand(raw, frames);
    frame_begin.push_back(static_cast<std::uint32_t>(frames.size()));
  }
  CallstackTable& stacks = b.t.callstack;
  RowIndex index;
  std::vector<std::uint32_t> leaf(b.node_frame.size());
  for (std::size_t node = 0; node < leaf.size(); ++node) {
    std::uint32_t at = b.node_parent[node] == kNoRow ? kNoRow : leaf[b.node_parent[node]];
    for (std::uint32_t f = frame_begin[b.node_frame[node]]; f < frame_begin[b.node_frame[node] + 1]; ++f) {
      const std::uint32_t parent = at;
      at = index.find_or_add(
          mix(parent, frames[f]),
          [&](std::uint32_t i) { return stacks.parent[i] == parent && stacks.frame[i] == frames[f]; },
          [&] {
            stacks.parent.push_back(parent);
            stacks.frame.push_back(frames[f]);
            const unsigned depth = parent == kNoRow ? 0U : stacks.depth[parent] + 1U;
            stacks.depth.push_back(static_cast<std::uint16_t>(std::min(depth, 0xffffU)));
            return static_cast<std::uint32_t>(stacks.frame.size() - 1);
          });
    }
    leaf[node] = at;
  }
  return leaf;
}

} // namespace

void seal_samples(Building& b) {
  const std::vector<std::uint32_t> leaf = build_callstacks(b);
  SampleTable& samples = b.t.sample;
  for (std::uint32_t& stack : samples.callstack)
    if (stack != kNoRow) stack = leaf[stack];
  b.raw_frame = {};
  b.symbols = {};
  if (std::ranges::is_sorted(samples.ts)) return;
  std::vector<std::uint32_t> order(samples.ts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return samples.ts[row]; });
  for (auto* column : {&samples.ts, &samples.weight})
    permute(*column, order);
  for (auto* column : {&samples.thread, &samples.callstack})
    permute(*column, order);
  permute(samples.cpu, order);
  permute(samples.event, order);
}

} // namespace prof::detail
