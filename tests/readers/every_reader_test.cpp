// What holds for every reader and every file: its name does not matter, nor the pieces in which it arrives,
// nor how it is packed; what stands before a cut is kept; and .pb holds all of it.
#include "every_reader.hpp"

#include "../import/packing.hpp"
#include "report/export_view.hpp"

#include <algorithm>
#include <set>

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

bool has_a_note_that_lacks(const Store& store, const Store& other) {
  const auto codes = [](const Store& of) {
    std::set<std::string_view> out;
    for (const StrId code : of.tables().note.code)
      out.insert(of.text(code));
    return out;
  };
  return !std::ranges::includes(codes(other), codes(store));
}

class EveryReader : public ::testing::TestWithParam<Fixture> {
protected:
  void SetUp() override { whole_ = content_of(GetParam()); }
  void TearDown() override { set_most_per_read(0); }

  // The tables of these bytes in a file of this name.
  TableText tables(std::string_view bytes, std::string_view name = "input") {
    const Outcome outcome = outcome_of(scratch_.write(bytes, name));
    EXPECT_TRUE(outcome.store) << outcome.error.what;
    EXPECT_TRUE(GetParam().reader.empty() || outcome.format == GetParam().reader) << outcome.format;
    return outcome.store ? table_text(*outcome.store) : TableText{};
  }
  Scratch scratch_;
  std::string whole_;
};

TEST_P(EveryReader, knows_its_file_whatever_the_name) {
  const TableText expected = tables(whole_);
  EXPECT_GT(row_count(expected), 0U);
  for (const char* name : {"trace.json", "x.pb", "a.db", "perf.data.old", "-", "\xff\xfe.csv", "data.gz"})
    EXPECT_EQ(difference(expected, tables(whole_, name)), "") << name;
}

TEST_P(EveryReader, reads_packed_files_as_the_plain_ones) {
  const TableText expected = tables(whole_);
  EXPECT_EQ(difference(expected, tables(gzip(whole_), "packed")), "");
  EXPECT_EQ(difference(expected, tables(zstd(whole_), "packed")), "");
}

TEST_P(EveryReader, gives_the_same_however_small_the_pieces_in_which_the_file_arrives) {
  const TableText expected = tables(whole_);
  const bool is_small = whole_.size() < (std::size_t{1} << 20);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{61}, std::size_t{4093}}) {
    if (piece == 1 && !is_small) continue;
    set_most_per_read(piece);
    EXPECT_EQ(difference(expected, tables(whole_)), "") << piece << " bytes at a time";
  }
}

// What a .pb file may change (docs/formats.md): processes, threads, tracks and streams on which nothing
// happened are not written; the ledger of the writer is added.
TEST_P(EveryReader, writes_pb_files_that_hold_the_same_tables) {
  const fs::path path = scratch_.write(whole_);
  EXPECT_EQ(difference(table_text(load(path)), table_text(through_pb(path))), "");
}

TEST_P(EveryReader, writes_sqlite_files_that_hold_the_same_tables) {
  const Store store = load(scratch_.write(whole_));
  const fs::path path = scratch_.path() / "exported";
  ASSERT_TRUE(export_sqlite(store, path).ok());
  const Outcome again = outcome_of(path);
  ASSERT_TRUE(again.store) << again.error.what;
  EXPECT_EQ(again.format, "profiler_sqlite");
  EXPECT_EQ(difference(table_text(store), table_text(*again.store)), "");
}

// Samples with their frames and mappings it does not hold, and a note says so.
TEST_P(EveryReader, writes_chrome_json_that_holds_the_same_tables_but_samples) {
  const Store store = load(scratch_.write(whole_));
  const bool has_samples = !store.tables().sample.ts.empty();
  std::string text;
  ASSERT_TRUE(export_chrome_json(store, [&](std::string_view bytes) {
                text += bytes;
                return Status{};
              }).ok());
  const Outcome again = outcome_of(scratch_.write(text, "exported"));
  ASSERT_TRUE(again.store) << again.error.what;
  Lines but{"sample", "mapping"};
  if (has_samples) but.insert(but.end(), {"note", "signal", "thread", "process"});
  EXPECT_EQ(difference(table_text(store), table_text(*again.store), but), "");
  EXPECT_EQ(has_a_note_that_lacks(*again.store, store), has_samples);
}

TEST_P(EveryReader, keeps_what_stands_before_a_cut_and_says_that_the_file_is_cut) {
  const Fixture& fixture = GetParam();
  const auto rows_of = [&](const Outcome& outcome) {
    return outcome.store ? events_text(*outcome.store, !fixture.has_late_names) : TableText{};
  };
  const auto read = [&](std::string_view bytes) { return outcome_of(scratch_.write(bytes, "cut")); };
  const Outcome whole = read(whole_);
  const TableText all = rows_of(whole);
  std::size_t most = 0;
  const std::size_t step = whole_.size() < (std::size_t{4} << 20) ? 1 : 9;
  for (std::size_t part = 1; part < 64; part += step) {
    const std::size_t size = whole_.size() * part / 64;
    const Outcome outcome = read(std::string_view(whole_).substr(0, size));
    const TableText rows = rows_of(outcome);
    const std::string good = mended(whole_, size, fixture.unit);
    const TableText expected = good.empty() ? TableText{} : rows_of(read(good));
    if (!outcome.store) {
      EXPECT_EQ(outcome.error.what.find('\n'), std::string::npos) << part;
      EXPECT_EQ(row_count(expected), 0U) << part << ": " << outcome.error.what;
      continue;
    }
    const Lines invented = missing(rows, all);
    EXPECT_LE(invented.size(), fixture.bent_rows)
        << part << " of 64: " << (invented.empty() ? "" : invented.front());
    const Lines lost = missing(expected, rows);
    EXPECT_LE(lost.size(), fixture.bent_rows) << part << " of 64: " << (lost.empty() ? "" : lost.front());
    EXPECT_TRUE(fixture.unit == Unit::none || row_count(rows) >= most) << part;
    most = row_count(rows);
    // Cut between two units nobody can tell, nor inside the last cell of a row; nor when what is left is
    // another format.
    const bool is_row_at_cut_taken = fixture.bent_rows > 0 && row_count(rows) > row_count(expected);
    const bool is_said = size == good.size() || is_row_at_cut_taken || outcome.format != whole.format ||
                         has_a_note_that_lacks(*outcome.store, *whole.store);
    EXPECT_TRUE(is_said) << part << " of 64: no note tells that the file is cut";
  }
}

TEST_P(EveryReader, survives_bytes_that_were_changed_on_the_way) {
  for (std::size_t part = 0; part < 32; ++part) {
    std::string bytes = whole_;
    const std::size_t at = whole_.size() * part / 32;
    // One byte turned over, a run of zeros, a run of 0xff: as disks and text editors leave them.
    bytes[at] = static_cast<char>(~bytes[at]);
    if (part % 3 == 1) bytes.replace(at, std::min<std::size_t>(64, bytes.size() - at), 64, '\0');
    if (part % 3 == 2) bytes.replace(at, std::min<std::size_t>(64, bytes.size() - at), 64, '\xff');
    const Outcome outcome = outcome_of(scratch_.write(bytes, "changed"));
    EXPECT_TRUE(outcome.store || outcome.error.what.find('\n') == std::string::npos) << part;
  }
}

TEST(EveryFormat, has_a_file_here) {
  std::set<std::string> tested;
  for (const Fixture& fixture : fixtures())
    tested.insert(fixture.reader);
  // Folders have tests of their own: ascend_test.cpp, kineto_ranks_test.cpp.
  tested.insert({"ascend_pytorch", "kineto_folder"});
  for (const Reader* reader : all_readers())
    EXPECT_TRUE(tested.contains(std::string(reader->name))) << reader->name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryReader, ::testing::ValuesIn(fixtures()),
                         [](const auto& row) { return row.param.name; });

} // namespace
} // namespace prof::testing
