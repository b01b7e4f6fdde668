// docs/formats.md is what stands beside the readers.
#include "import/formats_docs.hpp"
#include "import/reader.hpp"

#include "base/file.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(FormatsPage, is_the_generated_one) {
  const auto page = read_file(std::string(PROF_SOURCE_DIR) + "/docs/formats.md", 1 << 20);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(*page == format_reference_markdown()) << "run: profiler import --reference > docs/formats.md";
}

TEST(FormatsPage, says_all_of_every_format) {
  for (const Reader* reader : all_readers())
    for (const std::string_view fact :
         {reader->facts.versions, reader->facts.tested_on, reader->facts.reads, reader->facts.leaves_out}) {
      EXPECT_FALSE(fact.empty()) << reader->name;
      EXPECT_EQ(fact.find_first_of("|\n"), std::string_view::npos) << reader->name; // a cell of a table
    }
}

} // namespace
} // namespace prof
