// text_window.hpp: a sliding view of a file that is read from front to back.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof::json {

class TextWindow {
public:
  [[nodiscard]] static Result<TextWindow> open(const std::filesystem::path& path);
  TextWindow(TextWindow&& other) noexcept;
  TextWindow& operator=(TextWindow&&) = delete;
  TextWindow(const TextWindow&) = delete;
  TextWindow& operator=(const TextWindow&) = delete;
  ~TextWindow();

  // What is read and not consumed. Valid until the next more() or consume().
  [[nodiscard]] std::string_view text() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  // Reads on; false at the end of the file.
  [[nodiscard]] Result<bool> more();
  // Reads on until text() holds at least `size` bytes; false when the file ends before.
  [[nodiscard]] Result<bool> fill(std::size_t size) {
    while (text().size() < size) {
      PROF_TRY(const bool is_more, more());
      if (!is_more) return false;
    }
    return true;
  }
  void consume(std::size_t n) {
    begin_ += n;
    offset_ += static_cast<std::int64_t>(n);
  }
  // Of text()'s first byte in the file.
  [[nodiscard]] std::int64_t offset() const { return offset_; }
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }

private:
  TextWindow() = default;
  std::filesystem::path path_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::int64_t offset_ = 0;
  int fd_ = -1;
  bool is_at_end_ = false;
};

} // namespace prof::json
