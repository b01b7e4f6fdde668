// every_reader.hpp: what holds for the reader of every format. A new reader gets all of these tests by one
// row of kFixtures (every_reader.cpp) with its file.
#pragma once
#include "reader_fixture.hpp"
#include "table_text.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace prof::testing {

// What a file is a sequence of: says where the last whole one before a cut ends.
enum class Unit : std::uint8_t {
  line,       // a sample or a row of a table a line
  block,      // lines up to a blank one
  json_event, // elements of the array of events
  json,       // one document: nothing is whole before its end
  proto,      // top-level fields of a protobuf message
  record,     // perf.data: records behind a header that says where they are
  none        // pages of a database, in no order
};

struct Fixture {
  std::string name;   // of the test: a word
  std::string reader; // empty = any
  std::string file;   // in tests/readers/data, .gz or not; or a path
  Unit unit = Unit::none;
  bool has_late_names = false; // names stand apart from the events and may be cut off
  // Rows that may differ when the file is cut: those that are still open there, one whose number lost digits,
  // one that spans all the others.
  std::size_t bent_rows = 0;
};

// How a test's parameter is printed.
inline void PrintTo(const Fixture& fixture, std::ostream* out) {
  *out << fixture.file;
}
// The committed ones, then those of the folder with real files where there is one.
[[nodiscard]] const std::vector<Fixture>& fixtures();
// The file, unpacked.
[[nodiscard]] std::string content_of(const Fixture& fixture);

// The longest file without damage that is made of the first `size` bytes of `whole`: its last unit is whole
// and what was open is closed. Empty when no unit is whole.
[[nodiscard]] std::string mended(std::string_view whole, std::size_t size, Unit unit);

// How a file was read: its tables, or why there are none.
struct Outcome {
  std::optional<Store> store;
  std::string format;
  Error error;
};
[[nodiscard]] Outcome outcome_of(const std::filesystem::path& path);

// From now on a read() of the code under test gives at most this many bytes; 0 = as many as asked.
void set_most_per_read(std::size_t bytes);

} // namespace prof::testing
