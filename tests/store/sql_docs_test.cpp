// docs/sql.md is what the code says.
#include "store/sql_docs.hpp"

#include "base/file.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(SqlDocs, the_committed_page_is_the_generated_one) {
  const auto page = read_file(std::string(PROF_SOURCE_DIR) + "/docs/sql.md", 1 << 20);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(*page == sql_reference_markdown()) << "run: profiler query --reference > docs/sql.md";
}

} // namespace
} // namespace prof
