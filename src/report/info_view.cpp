#include "report/info_view.hpp"

#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "metrics/coverage.hpp"
#include "report/case_view.hpp"
#include "store/device_time.hpp"
#include "store/losses.hpp"
#include "store/request_time.hpp"
#include "store/sql_tables.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace prof {
namespace {

constexpr std::size_t kMostProcesses = 50; // listed; the rest is counted

// "{detail}" of a reason is what the system said.
std::string filled(Lang lang, std::string_view id, std::string_view detail) {
  std::string out(text(lang, id));
  for (std::size_t at = out.find("{detail}"); at != std::string::npos;
       at = out.find("{detail}", at + detail.size()))
    out.replace(at, 8, detail);
  return out;
}

std::string_view severity_word(Severity severity) {
  static constexpr std::array<std::string_view, 4> kWords{"info", "notice", "data_loss", "error"};
  return kWords[static_cast<std::size_t>(severity)];
}
std::string_view device_word(DeviceKind kind) {
  static constexpr std::array<std::string_view, 4> kWords{"cpu", "gpu", "npu", "other"};
  return kWords[static_cast<std::size_t>(kind)];
}

struct ProcessLine {
  std::int64_t pid = 0, threads = 0, slices = 0, samples = 0;
  std::string name;
};
// Processes that did something, the busiest first.
std::vector<ProcessLine> process_lines(const Store& store) {
  const Tables& t = store.tables();
  std::vector<ProcessLine> lines(t.process.pid.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i] = {.pid = t.process.pid[i], .name = std::string(store.text(t.process.name[i]))};
  for (const std::uint32_t process : t.thread.process)
    if (process != kNoRow) ++lines[process].threads;
  for (const std::uint32_t track : t.slice.track)
    if (const std::uint32_t process = t.track.process[track]; process != kNoRow) ++lines[process].slices;
  for (const std::uint32_t thread : t.sample.thread)
    if (thread != kNoRow && t.thread.process[thread] != kNoRow) ++lines[t.thread.process[thread]].samples;
  std::ranges::stable_sort(lines, std::ranges::greater{},
                           [](const ProcessLine& line) { return line.slices + line.samples; });
  return lines;
}

std::vector<std::pair<std::string_view, std::int64_t>> row_counts(const Store& store) {
  SqlData data(store);
  std::vector<std::pair<std::string_view, std::int64_t>> counts;
  for (const TableDef& table : sql_tables())
    if (!table.is_derived) counts.emplace_back(table.name, static_cast<std::int64_t>(table.rows(data)));
  return counts;
}

std::vector<std::pair<std::string_view, std::optional<double>>> coverage_rows(const Coverage& c) {
  return {{"ops_in_stages", c.ops_in_stages},
          {"stages_with_requests", c.stages_with_requests},
          {"samples_with_symbols", c.samples_with_symbols},
          {"samples_in_ops", c.samples_in_ops},
          {"run_time_in_ops", c.run_time_in_ops},
          {"time_explained", c.time_explained}};
}

std::string heading(Lang lang, std::string_view id) {
  return fmt::format("\n{}\n", text(lang, id));
}

std::string source_text(const TraceSource& source, Lang lang) {
  if (source.format.empty()) return {};
  return say(lang, "info.format", fmt::arg("format", source.format),
             fmt::arg("packing", source.packing.empty() ? "" : ", " + source.packing),
             fmt::arg("size", format_bytes(Bytes{source.bytes}))) +
         "\n";
}

std::map<std::string_view, std::int64_t> requests_by_status(const Store& store) {
  std::map<std::string_view, std::int64_t> counts;
  for (const StrId status : store.tables().request.status)
    ++counts[store.text(status)];
  return counts;
}

// "Requests: 20 (19 ok, 1 error)". Where there are none, what stands for them in every figure.
std::string request_text(const Store& store, Lang lang) {
  const UnitTable units = find_units(store);
  if (units.slice.empty()) return fmt::format("\n{}\n", text(lang, "info.no_requests"));
  std::string parts;
  if (units.kind == words::kRequest)
    for (const auto& [status, count] : requests_by_status(store))
      if (!status.empty())
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, one_line(status, 40));
  if (parts.empty()) parts = one_line(store.metadata("request.source"), 80);
  if (!parts.empty()) parts = say(lang, "info.units.parts", fmt::arg("parts", parts));
  std::size_t n = 0; // parts of one step on several ranks are one
  for (std::size_t i = 0; i < units.job_step.size(); ++i)
    n += units.job_step[i] == i;
  return "\n" +
         say(lang, fmt::format("info.units.{}", unit_word(store, units.kind)), fmt::arg("n", n),
             fmt::arg("parts", parts)) +
         "\n";
}

// "2026-11-30 13:17:05 UTC"; empty where the trace does not say when it was recorded.
std::string recorded_at(const Store& store) {
  const std::int64_t ns = std::strtoll(std::string(store.metadata("start_realtime_ns")).c_str(), nullptr, 10);
  return ns <= 0 ? std::string() : format_time(ns) + " UTC";
}

// By device row; no entry: it ran nothing.
std::map<std::uint32_t, DeviceTime> device_times(const Store& store) {
  std::map<std::uint32_t, DeviceTime> times;
  for (const DeviceTime& time : compute_device_time(store))
    times.emplace(time.device, time);
  return times;
}

// Device rows by kind and number.
std::vector<std::uint32_t> device_order(const DeviceTable& devices) {
  std::vector<std::uint32_t> order(devices.name.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t i) { return std::pair(devices.kind[i], devices.index[i]); });
  return order;
}

std::string device_text(const Store& store, Lang lang) {
  const DeviceTable& devices = store.tables().device;
  if (devices.name.empty()) return {};
  const auto times = device_times(store);
  std::string out = heading(lang, "info.devices");
  for (const std::uint32_t i : device_order(devices)) {
    out += fmt::format("  {} {}  {}", device_word(devices.kind[i]), devices.index[i],
                       one_line(store.text(devices.name[i])));
    if (const auto time = times.find(i); time != times.end() && time->second.window > 0) {
      const double busy =
          100.0 * static_cast<double>(time->second.busy) / static_cast<double>(time->second.window);
      out += ": " + say(lang, "info.device_time", fmt::arg("busy", fmt::format("{:.1f} %", busy)),
                        fmt::arg("idle", fmt::format("{:.1f} %", 100 - busy)),
                        fmt::arg("window", format_dur(Dur{time->second.window})));
    }
    out += "\n";
  }
  return out;
}

std::string process_text(const Store& store, Lang lang) {
  const std::vector<ProcessLine> lines = process_lines(store);
  if (lines.empty()) return {};
  std::string out = heading(lang, "info.processes");
  std::size_t shown = 0;
  for (const ProcessLine& line : lines) {
    if (shown >= kMostProcesses || (shown > 0 && line.slices + line.samples == 0)) break;
    ++shown;
    out += "  " +
           say(lang, "info.process", fmt::arg("pid", line.pid), fmt::arg("name", one_line(line.name, 80)),
               fmt::arg("threads", line.threads), fmt::arg("slices", line.slices),
               fmt::arg("samples", line.samples)) +
           "\n";
  }
  if (lines.size() > shown)
    out += "  " + say(lang, "info.more_processes", fmt::arg("n", lines.size() - shown)) + "\n";
  return out;
}

std::string ledger_text(const Store& store, Lang lang) {
  const NoteTable& notes = store.tables().note;
  const Losses losses = losses_of(store);
  const std::string_view id = losses.of_unknown_size.empty() ? "info.lost" : "info.lost.unknown";
  std::string out = heading(lang, "info.notes") + "  " + say(lang, id, fmt::arg("n", losses.records)) + "\n";
  if (notes.code.empty()) return out + "  " + std::string(text(lang, "info.no_notes")) + "\n";
  for (std::size_t i = 0; i < notes.code.size(); ++i) {
    const std::string code(store.text(notes.code[i])), where = one_line(store.text(notes.where[i]), 120),
                                                       advice = code + ".advice";
    out += fmt::format("  [{}] {} x {}{}\n",
                       text(lang, fmt::format("info.severity.{}", severity_word(notes.severity[i]))),
                       one_line(text(lang, code)), notes.count[i], where.empty() ? "" : " (" + where + ")");
    if (const std::string_view known = text(lang, advice); known != advice)
      out += fmt::format("      {}\n", known);
  }
  return out;
}

// A line a reason, with all the signals that it holds for.
std::string signal_text(const Store& store, Lang lang) {
  const SignalTable& signals = store.tables().signal;
  std::vector<std::pair<std::size_t, std::string>> reasons; // the first signal of it, and all their names
  const auto is_same = [&](std::size_t a, std::size_t b) {
    return signals.reason[a] == signals.reason[b] && signals.mend[a] == signals.mend[b] &&
           signals.detail[a] == signals.detail[b];
  };
  for (std::size_t i = 0; i < signals.name.size(); ++i) {
    if (signals.is_available[i]) continue;
    const std::string name = one_line(store.text(signals.name[i]), 80);
    const auto known = std::ranges::find_if(reasons, [&](const auto& r) { return is_same(r.first, i); });
    if (known == reasons.end())
      reasons.emplace_back(i, name);
    else
      known->second += ", " + name;
  }
  std::string out = heading(lang, "info.signals");
  if (reasons.empty()) out += "  " + std::string(text(lang, "info.all_signals")) + "\n";
  for (const auto& [i, names] : reasons) {
    const std::string detail = one_line(store.text(signals.detail[i]), 300);
    out += fmt::format("  {}: {}{}\n", names, one_line(filled(lang, store.text(signals.reason[i]), detail)),
                       detail.empty() ? "" : " [" + detail + "]");
    if (!signals.mend[i].is_empty())
      out += fmt::format("      {}\n", one_line(filled(lang, store.text(signals.mend[i]), detail)));
  }
  return out;
}

} // namespace

std::string info_text(const Store& store, const TraceSource& source, Lang lang) {
  const Tables& t = store.tables();
  std::string out = one_line(source.path) + "\n" + source_text(source, lang);
  out += say(lang, "info.range", fmt::arg("length", format_dur(store.end() - store.start())),
             fmt::arg("start", store.start().ns), fmt::arg("end", store.end().ns)) +
         "\n";
  if (const std::string when = recorded_at(store); !when.empty())
    out += say(lang, "info.recorded", fmt::arg("when", when)) + "\n";
  for (std::size_t i = 0; i < t.metadata.key.size(); ++i)
    out += fmt::format("  {}: {}\n", one_line(store.text(t.metadata.key[i]), 80),
                       one_line(store.text(t.metadata.value[i]), 200));
  out += request_text(store, lang);
  out += device_text(store, lang) + process_text(store, lang) + heading(lang, "info.rows");
  for (const auto& [name, count] : row_counts(store))
    if (count > 0) out += fmt::format("  {:<14} {:>12}\n", name, count);
  out += heading(lang, "info.coverage");
  for (const auto& [name, value] : coverage_rows(measure_coverage(store)))
    out += fmt::format("  {:>8}  {}\n", value ? fmt::format("{:.1f} %", *value * 100) : "-",
                       text(lang, fmt::format("info.coverage.{}", name)));
  return out + ledger_text(store, lang) + signal_text(store, lang);
}

Doc info_doc(const Store& store, const TraceSource& source, Lang lang) {
  const Tables& t = store.tables();
  Doc doc = Doc::map();
  doc.set("schema", "cann-profiler/info/1").set("path", source.path);
  doc.set("format",
          Doc::map().set("name", source.format).set("packing", source.packing).set("bytes", source.bytes));
  doc.set("time", Doc::map()
                      .set("start_ns", store.start().ns)
                      .set("end_ns", store.end().ns)
                      .set("duration_ns", (store.end() - store.start()).ns)
                      .set("recorded", recorded_at(store)));
  Doc statuses = Doc::map();
  for (const auto& [status, count] : requests_by_status(store))
    statuses.set(status, count);
  doc.set("requests",
          Doc::map().set("count", std::ssize(t.request.ts)).set("by_status", std::move(statuses)));
  const Losses losses = losses_of(store);
  doc.set("lost_events", losses.records).set("incomplete", !losses.of_unknown_size.empty());
  Doc metadata = Doc::map(), devices = Doc::list(), processes = Doc::list(), rows = Doc::map(),
      coverage = Doc::map(), notes = Doc::list(), signals = Doc::list();
  for (std::size_t i = 0; i < t.metadata.key.size(); ++i)
    metadata.set(store.text(t.metadata.key[i]), store.text(t.metadata.value[i]));
  const auto times = device_times(store);
  for (const std::uint32_t i : device_order(t.device)) {
    Doc device = Doc::map();
    device.set("kind", device_word(t.device.kind[i]))
        .set("index", t.device.index[i])
        .set("name", store.text(t.device.name[i]));
    if (const auto time = times.find(i); time != times.end())
      device.set("window_ns", time->second.window)
          .set("busy_ns", time->second.busy)
          .set("idle_ns", time->second.idle);
    devices.add(std::move(device));
  }
  for (const ProcessLine& line : process_lines(store))
    processes.add(Doc::map()
                      .set("pid", line.pid)
                      .set("name", line.name)
                      .set("threads", line.threads)
                      .set("slices", line.slices)
                      .set("samples", line.samples));
  for (const auto& [name, count] : row_counts(store))
    rows.set(name, count);
  for (const auto& [name, value] : coverage_rows(measure_coverage(store)))
    coverage.set(name, value ? Doc(*value) : Doc());
  for (std::size_t i = 0; i < t.note.code.size(); ++i) {
    const std::string code(store.text(t.note.code[i])), advice = code + ".advice";
    const std::string_view known = text(lang, advice);
    notes.add(Doc::map()
                  .set("severity", severity_word(t.note.severity[i]))
                  .set("code", code)
                  .set("text", text(lang, code))
                  .set("count", t.note.count[i])
                  .set("location", store.text(t.note.where[i]))
                  .set("advice", known == advice ? std::string_view{} : known));
  }
  for (std::size_t i = 0; i < t.signal.name.size(); ++i) {
    const std::string detail(store.text(t.signal.detail[i]));
    signals.add(Doc::map()
                    .set("name", store.text(t.signal.name[i]))
                    .set("available", static_cast<bool>(t.signal.is_available[i]))
                    .set("source", store.text(t.signal.source[i]))
                    .set("reason", filled(lang, store.text(t.signal.reason[i]), detail))
                    .set("mend", filled(lang, store.text(t.signal.mend[i]), detail))
                    .set("detail", detail));
  }
  return doc.set("metadata", metadata)
      .set("devices", devices)
      .set("processes", processes)
      .set("rows", rows)
      .set("coverage", coverage)
      .set("notes", notes)
      .set("signals", signals);
}

} // namespace prof
