// Tables about the recording itself: what can be known, what was lost.
#include "store/sql_tables.hpp"

#include <array>

namespace prof {
namespace {

using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

std::string_view severity(I number) {
  static constexpr std::array<std::string_view, 4> kWords{"info", "notice", "data_loss", "error"};
  return kWords.at(static_cast<std::size_t>(number));
}

constexpr ColumnDef kSignal[] = {
    {"name", K::text, "metric id or signal word: requests, stages, ops, sched, cpu_stacks ...",
     [](D& d, R r) -> I { return d.t().signal.name[r].row; }},
    {"is_available", K::integer, "1 = this trace can answer questions about it",
     [](D& d, R r) -> I { return d.t().signal.is_available[r] ? 1 : 0; }},
    {"source", K::text, "collector or reader that gave it",
     [](D& d, R r) -> I { return d.t().signal.source[r].row; }},
    {"reason", K::text, "text id of why it is missing",
     [](D& d, R r) -> I { return d.t().signal.reason[r].row; }},
    {"mend", K::text, "text id of how to get it", [](D& d, R r) -> I { return d.t().signal.mend[r].row; }},
    {"detail", K::text, "what the system said", [](D& d, R r) -> I { return d.t().signal.detail[r].row; }},
};
constexpr ColumnDef kNote[] = {
    {"severity", K::word, "info, notice, data_loss or error",
     [](D& d, R r) -> I { return static_cast<I>(d.t().note.severity[r]); }, severity},
    {"code", K::text, "text id of what happened", [](D& d, R r) -> I { return d.t().note.code[r].row; }},
    {"count", K::integer, "how often", [](D& d, R r) -> I { return d.t().note.count[r]; }},
    {"location", K::text, "first place", [](D& d, R r) -> I { return d.t().note.where[r].row; }},
};
constexpr ColumnDef kGap[] = {
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().gap.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().gap.dur[r]; }},
    {"reason", K::text, "text id of why", [](D& d, R r) -> I { return d.t().gap.reason[r].row; }},
};
constexpr ColumnDef kMetadata[] = {
    {"key", K::text, "name", [](D& d, R r) -> I { return d.t().metadata.key[r].row; }},
    {"value", K::text, "value", [](D& d, R r) -> I { return d.t().metadata.value[r].row; }},
};

constexpr TableDef kTables[] = {
    {"signal", "What this trace can and cannot answer, and why not.", kSignal,
     [](D& d) { return d.t().signal.name.size(); }, false},
    {"note", "The loss ledger: what was dropped, bent or guessed.", kNote,
     [](D& d) { return d.t().note.code.size(); }, false},
    {"gap", "Known holes in the data.", kGap, [](D& d) { return d.t().gap.ts.size(); }, false},
    {"metadata", "Facts about the recording.", kMetadata, [](D& d) { return d.t().metadata.key.size(); },
     false},
};

} // namespace

std::span<const TableDef> detail::sql_ledger_tables() {
  return kTables;
}

} // namespace prof
