#include "import/json/text_window.hpp"

#include "base/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace prof::json {
namespace {

constexpr std::size_t kStep = std::size_t{512} * 1024;

} // namespace

Result<TextWindow> TextWindow::open(const std::filesystem::path& path) {
  TextWindow window;
  window.path_ = path;
  window.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (window.fd_ < 0) return errno_error("error.cannot_open", path);
  return window;
}

TextWindow::TextWindow(TextWindow&& other) noexcept
    : path_(std::move(other.path_)), buffer_(std::move(other.buffer_)), begin_(other.begin_),
      end_(other.end_), offset_(other.offset_), fd_(std::exchange(other.fd_, -1)),
      is_at_end_(other.is_at_end_) {}

TextWindow::~TextWindow() {
  if (fd_ >= 0) ::close(fd_);
}

Result<bool> TextWindow::more() {
  if (is_at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // A window that had to grow grows by doubling, so that a huge element is not scanned too often.
  const std::size_t step = std::max(kStep, end_);
  if (buffer_.size() < end_ + step) buffer_.resize(end_ + step);
  for (;;) {
    const ssize_t got = ::read(fd_, buffer_.data() + end_, step);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error("error.cannot_read", path_);
    end_ += static_cast<std::size_t>(got);
    is_at_end_ = got == 0;
    return got > 0;
  }
}

} // namespace prof::json
