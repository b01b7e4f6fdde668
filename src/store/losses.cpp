#include "store/losses.hpp"

#include "base/safe_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace prof {
namespace {

constexpr std::array<std::string_view, 11> kOfUnknownSize{
    "note.import.packed_cut", "note.ascend.file_not_read", "note.sqlite.damaged",
    "note.sqlite.log_unread", "note.sqlite.log_damaged",   "note.tracefile.damaged",
    "note.tracefile.skipped", "note.tracefile.bad_group",  "note.tracefile.bomb",
    "note.perf.compressed",   "note.ort.event_limit"};

// Readers call the end of a file in its middle "note.<format>.cut".
bool is_of_unknown_size(std::string_view code) {
  return code.ends_with(".cut") || std::ranges::find(kOfUnknownSize, code) != kOfUnknownSize.end();
}

} // namespace

Losses losses_of(const Store& store) {
  const NoteTable& notes = store.tables().note;
  Losses losses;
  for (std::size_t i = 0; i < notes.code.size(); ++i) {
    if (notes.severity[i] != Severity::data_loss) continue;
    if (is_of_unknown_size(store.text(notes.code[i])))
      losses.of_unknown_size.push_back(static_cast<std::uint32_t>(i));
    else
      losses.records += notes.count[i];
  }
  return losses;
}

std::string incomplete_text(const Store& store, const Losses& losses, Lang lang) {
  const NoteTable& notes = store.tables().note;
  std::string out;
  for (const std::uint32_t i : losses.of_unknown_size) {
    const std::string_view where = store.text(notes.where[i]);
    out += (out.empty() ? "" : "; ") + std::string(text(lang, store.text(notes.code[i])));
    if (!where.empty()) out += fmt::format(" ({})", one_line(where, 120));
  }
  return out;
}

std::string losses_text(const Store& store, const Losses& losses, Lang lang) {
  std::string out = incomplete_text(store, losses, lang);
  if (losses.records == 0) return out;
  return out + (out.empty() ? "" : "; ") + say(lang, "losses.records", fmt::arg("n", losses.records));
}

} // namespace prof
