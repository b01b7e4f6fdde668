#include "store/losses.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace prof {
namespace {

constexpr std::array<std::string_view, 9> kOfUnknownSize{
    "note.import.packed_cut", "note.ascend.file_not_read", "note.sqlite.damaged",
    "note.tracefile.damaged", "note.tracefile.skipped",    "note.tracefile.bad_group",
    "note.tracefile.bomb",    "note.perf.compressed",      "note.ort.event_limit"};

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

} // namespace prof
