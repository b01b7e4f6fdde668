#include "base/output_claim.hpp"

#include "base/sha256.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace prof {

// A socket's name in the abstract space, which goes with the last descriptor: no stale lock file is left.
std::optional<OutputClaim> OutputClaim::take(const std::filesystem::path& path) {
  OutputClaim claim;
  std::error_code error;
  const auto file = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  struct stat folder{};
  if (error || ::stat(file.parent_path().c_str(), &folder) != 0) return claim;
  const std::string key =
      fmt::format("{}:{}:{}:{}", ::geteuid(), folder.st_dev, folder.st_ino, file.filename().string());
  const std::string name = std::string(1, '\0') + "profiler-output-" + sha256_hex(key);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(name, address.sun_path);
  claim.fd_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (claim.fd_ < 0) return claim;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  if (::bind(claim.fd_, reinterpret_cast<const sockaddr*>(&address), size) != 0 && errno == EADDRINUSE)
    return std::nullopt;
  return claim;
}

OutputClaim::OutputClaim(OutputClaim&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

OutputClaim& OutputClaim::operator=(OutputClaim&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

OutputClaim::~OutputClaim() {
  if (fd_ >= 0) ::close(fd_);
}

} // namespace prof
