// formats_docs.hpp: docs/formats.md, from what stands beside each reader.
#pragma once
#include <string>

namespace prof {

// The whole page (tests/import/formats_docs_test.cpp keeps the committed file equal).
[[nodiscard]] std::string format_reference_markdown();

} // namespace prof
