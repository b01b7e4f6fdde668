#include "import/json/stream_notes.hpp"

#include <fmt/format.h>

namespace prof::json {

void note_losses(const StreamReport& report, TraceSink& sink) {
  const auto note = [&](Severity severity, std::string_view code, std::int64_t count, std::int64_t offset) {
    if (count == 0) return;
    const std::string where = offset >= 0 ? fmt::format("offset {}", offset) : std::string();
    sink.note({.severity = severity, .code = sink.intern(code), .count = count, .where = sink.intern(where)});
  };
  note(Severity::data_loss, "note.json.dropped", report.losses.dropped, report.losses.first_offset);
  note(Severity::notice, "note.json.repaired", report.losses.repaired, report.losses.first_offset);
  note(Severity::data_loss, "note.json.bad_time", report.losses.bad_times, -1);
  note(Severity::data_loss, "note.json.cut", report.is_cut ? 1 : 0, report.bytes);
}

} // namespace prof::json
