#include "report/html/assembly.hpp"

#include "symbols/symbols.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace prof {
namespace {

constexpr std::size_t kMaxFunctions = 400;
constexpr std::size_t kMaxInstructions = 20'000; // of one function
constexpr std::size_t kAround = 48;              // instructions kept on both sides of a sampled one

struct FileCache {
  std::vector<std::unique_ptr<SymbolFile>> files; // by mapping; only at the first mapping of each file
  std::vector<MappingStatus> status;
  std::vector<std::uint32_t> first; // mapping -> the first mapping of the same file
};

MappingStatus why_not(const Error& error) {
  switch (error.code) {
  case Errc::missing:
    return {"viewer.asm.missing", error.what};
  case Errc::bad_argument:
    return {"viewer.asm.other_build", error.what};
  case Errc::permission:
    return {"viewer.asm.permission", error.what};
  case Errc::io:
  case Errc::malformed:
  case Errc::unsupported:
  case Errc::budget:
  case Errc::not_found:
  case Errc::interrupted:
  case Errc::internal:
    break;
  }
  return {"viewer.asm.unreadable", error.what};
}

FileCache open_files(const Store& store, bool read_files, const std::set<std::uint32_t>& used) {
  const MappingTable& mapping = store.tables().mapping;
  FileCache cache;
  cache.files.resize(mapping.path.size());
  cache.status.resize(mapping.path.size());
  cache.first.resize(mapping.path.size());
  std::map<std::pair<StrId, StrId>, std::uint32_t> first;
  for (const std::uint32_t m : used) {
    cache.first[m] = first.try_emplace({mapping.path[m], mapping.build_id[m]}, m).first->second;
    if (cache.first[m] != m) {
      cache.status[m] = cache.status[cache.first[m]];
      continue;
    }
    const std::string path(store.text(mapping.path[m]));
    if (!read_files)
      cache.status[m] = {"viewer.asm.off", {}};
    else if (path.empty() || path[0] != '/')
      cache.status[m] = {"viewer.asm.no_file", path};
    else if (auto file = SymbolFile::open(path, store.text(mapping.build_id[m])); file)
      cache.files[m] = *std::move(file);
    else
      cache.status[m] = why_not(file.error());
  }
  return cache;
}

void read_lines(AssemblyFunction& function, const std::vector<Instruction>& code,
                const std::set<std::uint64_t>& hit) {
  std::vector<bool> keep(code.size(), code.size() <= 4 * kAround);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!hit.contains(code[i].address)) continue;
    const std::size_t to = std::min(code.size(), i + kAround + 1);
    for (std::size_t k = i > kAround ? i - kAround : 0; k < to; ++k)
      keep[k] = true;
  }
  std::map<std::string, std::uint32_t> files{{"", 0}};
  function.files.emplace_back();
  bool is_cut = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!keep[i]) {
      is_cut = true;
      continue;
    }
    const auto [at, is_new] =
        files.try_emplace(code[i].source_file, static_cast<std::uint32_t>(function.files.size()));
    if (is_new) function.files.push_back(code[i].source_file);
    function.lines.push_back(
        {code[i].address, code[i].bytes, code[i].text, at->second, code[i].line, is_cut});
    is_cut = false;
  }
}

using RangeKey = std::pair<std::uint32_t, std::uint64_t>; // mapping, start

} // namespace

Assembly disassemble_hot_functions(const Store& store, const std::vector<FlameTree>& trees, bool read_files) {
  Assembly out;
  std::set<std::uint32_t> used;
  for (const FlameTree& tree : trees)
    for (const FlamePc& pc : tree.pcs)
      if (pc.mapping < store.tables().mapping.path.size()) used.insert(pc.mapping);
  FileCache cache = open_files(store, read_files, used);
  std::map<RangeKey, AssemblyFunction> ranges;
  std::map<RangeKey, std::set<std::uint64_t>> hits;
  std::vector<std::vector<RangeKey>> range_of_pc;
  for (const FlameTree& tree : trees) {
    auto& keys = range_of_pc.emplace_back(tree.pcs.size(), RangeKey{kNoRow, 0});
    for (std::size_t i = 0; i < tree.pcs.size(); ++i) {
      const FlamePc& pc = tree.pcs[i];
      if (pc.mapping >= cache.files.size() || !cache.files[cache.first[pc.mapping]]) continue;
      const std::uint32_t mapping = cache.first[pc.mapping];
      const auto range = cache.files[mapping]->function_at(pc.rel_pc);
      if (!range || range->end <= range->start) continue;
      keys[i] = {mapping, range->start};
      AssemblyFunction& function = ranges[keys[i]];
      function.mapping = mapping;
      function.function = range->function;
      function.start = range->start;
      function.end = range->end;
      function.self += pc.self;
      if (pc.self > 0) hits[keys[i]].insert(pc.rel_pc);
    }
  }
  std::vector<RangeKey> order;
  for (const auto& [key, function] : ranges)
    if (function.self > 0) order.push_back(key);
  std::ranges::stable_sort(order, std::greater<>(), [&](const RangeKey& key) { return ranges[key].self; });
  if (order.size() > kMaxFunctions) order.resize(kMaxFunctions);
  std::map<RangeKey, std::int32_t> index;
  for (const RangeKey& key : order) {
    AssemblyFunction& function = ranges[key];
    const auto code = cache.files[key.first]->disassemble(function.start, function.end, kMaxInstructions);
    if (!code) {
      cache.status[key.first] = why_not(code.error());
      continue;
    }
    read_lines(function, *code, hits[key]);
    index[key] = static_cast<std::int32_t>(out.functions.size());
    out.functions.push_back(std::move(function));
  }
  for (const auto& keys : range_of_pc) {
    auto& of_pc = out.function_of_pc.emplace_back();
    for (const RangeKey& key : keys) {
      const auto at = index.find(key);
      of_pc.push_back(at == index.end() ? -1 : at->second);
    }
  }
  out.mappings = std::move(cache.status);
  return out;
}

} // namespace prof
