#include "plan/service_facts.hpp"

#include "trace/conventions.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace prof::detail {
namespace {

constexpr double kComputing = 0.05; // of the trace; below that a thread needs no core of its own
constexpr std::size_t kMostOthers = 3;
constexpr std::int64_t kMostCpus = 4096;

std::set<std::uint32_t> serving_processes(const Store& store, std::string_view target) {
  const Tables& t = store.tables();
  std::set<std::uint32_t> own;
  for (const std::uint32_t thread : t.stage.thread)
    if (thread < t.thread.process.size() && t.thread.process[thread] != kNoRow)
      own.insert(t.thread.process[thread]);
  for (std::size_t i = 0; i < t.process.pid.size() && own.empty(); ++i)
    if (!target.empty() && store.text(t.process.name[i]) == target) own.insert(static_cast<std::uint32_t>(i));
  return own;
}

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find(' '), command.size());
    if (end > 0) words.emplace_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return words;
}

// A long option and nothing else: what the trace says goes into a command line.
std::string option_of(std::string_view text) {
  const bool is_option = text.starts_with("--") && text.size() > 2 && std::ranges::all_of(text, [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                  (c >= '0' && c <= '9') || c == '-' || c == '_';
                         });
  return is_option ? std::string(text) : std::string();
}

// Numbered from 0 where the trace counts them; cores beyond that (numbers with holes) as far as they were
// seen at work.
std::vector<std::int64_t> cpus_of(const Store& store) {
  std::set<std::int64_t> cpus;
  const std::string_view text = store.metadata("cpu_count");
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  for (std::int64_t cpu = 0; cpu < std::min(count, kMostCpus); ++cpu)
    cpus.insert(cpu);
  for (const std::int32_t cpu : store.tables().sched.cpu)
    if (cpu >= 0) cpus.insert(cpu);
  return {cpus.begin(), cpus.end()};
}

// Code of it was seen running. Two libraries (two services in one trace) tell nothing.
std::string engine_of(const Store& store) {
  std::set<std::string> found;
  for (const StrId id : store.tables().mapping.path) {
    const std::string_view path = store.text(id);
    const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 = 0
    if (path.starts_with('/') && name.starts_with("libonnxruntime.so") && !path.ends_with(" (deleted)"))
      found.emplace(path);
  }
  return found.size() == 1 ? *found.begin() : std::string();
}

// Threads of the kernel carry a '/' (kworker/0:1, ksoftirqd/0) or these names; they cannot be moved.
bool is_kernel_thread(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.starts_with("rcu_") ||
         name.starts_with("kthread") || name.starts_with("swapper");
}

} // namespace

ServiceFacts service_facts(const Store& store, std::string_view target) {
  const Tables& t = store.tables();
  const std::set<std::uint32_t> own = serving_processes(store, target);
  ServiceFacts facts;
  facts.cpus = cpus_of(store);
  facts.engine = engine_of(store);
  facts.config_option = option_of(store.metadata(words::kConfigOption));
  if (!own.empty() && *own.begin() < t.process.name.size()) {
    facts.command = words_of(store.text(t.process.cmdline[*own.begin()]));
    facts.program = store.text(t.process.name[*own.begin()]);
  }
  std::map<std::uint32_t, std::int64_t> ran; // thread -> ns
  for (std::size_t i = 0; i < t.sched.ts.size(); ++i)
    ran[t.sched.thread[i]] += t.sched.dur[i];
  const auto least = kComputing * static_cast<double>((store.end() - store.start()).ns);
  std::map<std::string, std::int64_t> others;
  for (const auto& [thread, ns] : ran) {
    if (thread >= t.thread.process.size()) continue;
    const std::uint32_t process = t.thread.process[thread];
    if (own.contains(process)) {
      facts.computing_threads += static_cast<double>(ns) > least ? 1 : 0;
      continue;
    }
    const bool is_named = process < t.process.name.size() && !store.text(t.process.name[process]).empty();
    const std::string_view name = store.text(is_named ? t.process.name[process] : t.thread.name[thread]);
    if (!name.empty() && name != facts.program && !is_kernel_thread(name)) others[std::string(name)] += ns;
  }
  std::vector<std::pair<std::int64_t, std::string>> longest;
  for (const auto& [name, ns] : others)
    longest.emplace_back(-ns, name);
  std::ranges::sort(longest);
  for (const auto& [ns, name] : longest)
    if (facts.other_programs.size() < kMostOthers) facts.other_programs.push_back(name);
  return facts;
}

std::optional<CpuSplit> split_cpus(const ServiceFacts& facts) {
  if (facts.cpus.size() < kFewestCpusToSplit) return std::nullopt;
  const auto most = std::ssize(facts.cpus) - 1;
  const auto own = std::clamp<std::int64_t>(facts.computing_threads, 1, most);
  CpuSplit split;
  split.others.assign(facts.cpus.begin(), facts.cpus.end() - own);
  split.service.assign(facts.cpus.end() - own, facts.cpus.end());
  return split;
}

std::string cpu_list(const std::vector<std::int64_t>& cpus) {
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
      ++last;
    out += (out.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (last > i) out += "-" + std::to_string(cpus[last]);
    i = last + 1;
  }
  return out;
}

} // namespace prof::detail
