// made_file.hpp: how a file of a plan shows that it still is as it was written, wherever it was moved and
// whatever became of the journal: it carries the digest of itself.
#pragma once
#include <string>
#include <string_view>

namespace prof {

// "generate-plan sha256:" and room for a digest. Stands once in each file of a plan: in a comment, or as a
// value.
[[nodiscard]] std::string made_mark();
// `content` with the digest of itself (taken with zeros in its place) in the room that made_mark() left.
[[nodiscard]] std::string with_digest(std::string content);
// Whether generate-plan wrote this; it may have been edited since.
[[nodiscard]] bool is_marked(std::string_view content);
// Whether generate-plan wrote this and nobody changed a byte of it since.
[[nodiscard]] bool is_as_made(std::string_view content);

} // namespace prof
