#include "import/json/stream_notes.hpp"

#include "import/reader_words.hpp"

#include <fmt/format.h>

namespace prof::json {

void note_losses(const StreamReport& report, TraceSink& sink) {
  const auto note = [&](Severity severity, std::string_view code, std::int64_t count, std::int64_t offset) {
    say_note(sink, severity, code, count, offset >= 0 ? fmt::format("offset {}", offset) : std::string());
  };
  note(Severity::data_loss, "note.json.dropped", report.losses.dropped, report.losses.first_offset);
  note(Severity::notice, "note.json.repaired", report.losses.repaired, report.losses.first_offset);
  note(Severity::data_loss, "note.json.bad_time", report.losses.bad_times, -1);
  note(Severity::data_loss, "note.json.cut", report.is_cut ? 1 : 0, report.bytes);
}

} // namespace prof::json
