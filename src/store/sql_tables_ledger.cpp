// Tables about the recording itself: what can be known, what was lost.
#include "store/sql_column.hpp"
#include "trace/enum_words.hpp"

namespace prof {
namespace {

using detail::column;
using detail::nth_word;
using detail::row_count;
using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

constexpr ColumnDef kSignal[] = {
    {"name", K::text, "metric id or signal word: requests, stages, ops, sched, cpu_stacks ...",
     column<&Tables::signal, &SignalTable::name>},
    {"is_available", K::integer, "1 = this trace can answer questions about it",
     column<&Tables::signal, &SignalTable::is_available>},
    {"source", K::text, "collector or reader that gave it", column<&Tables::signal, &SignalTable::source>},
    {"reason", K::text, "text id of why it is missing", column<&Tables::signal, &SignalTable::reason>},
    {"mend", K::text, "text id of how to get it", column<&Tables::signal, &SignalTable::mend>},
    {"detail", K::text, "what the system said", column<&Tables::signal, &SignalTable::detail>},
};
constexpr ColumnDef kNote[] = {
    {"severity", K::word, "info, notice, data_loss or error", column<&Tables::note, &NoteTable::severity>,
     nth_word<kSeverityWords>},
    {"code", K::text, "text id of what happened", column<&Tables::note, &NoteTable::code>},
    {"count", K::integer, "how often", column<&Tables::note, &NoteTable::count>},
    {"location", K::text, "first place", column<&Tables::note, &NoteTable::where>},
};
constexpr ColumnDef kGap[] = {
    {"ts", K::integer, "start, ns", column<&Tables::gap, &GapTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::gap, &GapTable::dur>},
    {"reason", K::text, "text id of why", column<&Tables::gap, &GapTable::reason>},
};
constexpr ColumnDef kMetadata[] = {
    {"key", K::text, "name", column<&Tables::metadata, &MetadataTable::key>},
    {"value", K::text, "value", column<&Tables::metadata, &MetadataTable::value>},
};

constexpr TableDef kTables[] = {
    {"signal", "What this trace can and cannot answer, and why not.", kSignal,
     row_count<&Tables::signal, &SignalTable::name>, false},
    {"note", "The loss ledger: what was dropped, bent or guessed.", kNote,
     row_count<&Tables::note, &NoteTable::code>, false},
    {"gap", "Known holes in the data.", kGap, row_count<&Tables::gap, &GapTable::ts>, false},
    {"metadata", "Facts about the recording.", kMetadata, row_count<&Tables::metadata, &MetadataTable::key>,
     false},
};

} // namespace

std::span<const TableDef> detail::sql_ledger_tables() {
  return kTables;
}

} // namespace prof
