// reader_fixture.hpp: files of foreign formats through import_trace into a store, and small answers from it.
#pragma once
#include "../import/packing.hpp"
#include "base/file.hpp"
#include "import/reader.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"
#include "tracefile/writer.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace prof::testing {

inline std::filesystem::path data_file(std::string_view name) {
  return std::filesystem::path(PROF_SOURCE_DIR) / "tests/readers/data" / name;
}

// A folder that goes away with the test.
class Scratch {
public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "readers-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }
  // A file whose name says nothing about its format.
  [[nodiscard]] std::filesystem::path write(std::string_view text, std::string_view name = "input") const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline Store load(const std::filesystem::path& path) {
  StoreBuilder builder;
  const Status status = import_trace(path, builder);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().what + " " + status.error().where);
  return builder.seal();
}

inline Store load_text(std::string_view text) {
  const Scratch scratch;
  return load(scratch.write(text));
}

// A file of data/ whose name ends in .gz, unpacked.
inline std::string unpacked(std::string_view name) {
  return ungzip(*read_file(data_file(name), 1 << 26));
}

// A file that ends too early at any of these places is read as far as it goes, or refused in one line;
// so is the whole.
inline void expect_rows_or_one_line_where_cut(std::string_view whole, std::size_t parts) {
  const Scratch scratch;
  for (std::size_t part = 1; part <= parts; ++part) {
    StoreBuilder builder;
    const Status status =
        import_trace(scratch.write(whole.substr(0, whole.size() * part / parts), "cut"), builder);
    if (status.ok())
      (void)builder.seal();
    else
      EXPECT_EQ(status.error().what.find('\n'), std::string::npos) << part;
  }
}

// The same trace, written as .pb and read back.
inline Store through_pb(const std::filesystem::path& path) {
  const Scratch scratch;
  const std::filesystem::path pb = scratch.path() / "t";
  auto writer = TraceFileWriter::create(pb, kImported);
  EXPECT_TRUE(writer.ok());
  EXPECT_TRUE(import_trace(path, **writer).ok());
  EXPECT_TRUE((*writer)->finish().ok());
  return load(pb);
}

// The answer as "a|b;c|d"; NULL is "-".
inline std::string ask(const Store& store, std::string_view sql) {
  auto connection = Sql::open(store);
  const auto result = connection->query(sql);
  if (!result) return "error: " + result.error().what;
  std::string out;
  for (const auto& row : result->rows) {
    if (!out.empty()) out += ';';
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += '|';
      if (const auto* number = std::get_if<std::int64_t>(&row[i]))
        out += std::to_string(*number);
      else if (const auto* real = std::get_if<double>(&row[i]))
        out += fmt::format("{}", *real);
      else if (const auto* text = std::get_if<std::string>(&row[i]))
        out += *text;
      else
        out += '-';
    }
  }
  return out;
}

} // namespace prof::testing
