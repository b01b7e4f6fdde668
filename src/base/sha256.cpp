#include "base/sha256.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/walk.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <vector>

namespace prof {
namespace {

// First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U, 0xab1c5ed5U,
    0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU, 0x9bdc06a7U, 0xc19bf174U,
    0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU, 0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU,
    0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U, 0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U,
    0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU, 0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U,
    0xa2bfe8a1U, 0xa81a664bU, 0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U,
    0x19a4c116U, 0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U, 0xc67178f2U};

Status add_file(Sha256& sha, const std::filesystem::path& path) {
  PROF_TRY(const int fd, open_input(path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(::fdopen(fd, "rb"), &std::fclose);
  if (!file) return errno_error("error.cannot_open", path);
  struct stat info{};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return error_said(Errc::unsupported, "error.no_fingerprint", path.string());
  std::vector<char> piece(1 << 18);
  // As long as it was at the start: a file that grows while it is read has an end all the same.
  for (auto left = static_cast<std::size_t>(info.st_size); left > 0;) {
    const std::size_t n = std::fread(piece.data(), 1, std::min(piece.size(), left), file.get());
    if (n == 0) break;
    sha.add({piece.data(), n});
    left -= n;
  }
  if (std::ferror(file.get()) != 0) return errno_error("error.cannot_read", path);
  return {};
}

} // namespace

void Sha256::block(const unsigned char* bytes) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
           std::uint32_t{bytes[4 * i + 2]} << 8 | std::uint32_t{bytes[4 * i + 3]};
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> add{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i)
    state_[i] += add[i];
}

void Sha256::add(std::string_view bytes) {
  std::size_t held = size_bytes_ % 64;
  size_bytes_ += bytes.size();
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    if (held == 0 && left >= 64) {
      block(from);
      from += 64, left -= 64;
      continue;
    }
    const std::size_t n = std::min(left, 64 - held);
    std::memcpy(buffer_.data() + held, from, n);
    from += n, left -= n, held += n;
    if (held == 64) {
      block(buffer_.data());
      held = 0;
    }
  }
}

std::string Sha256::hex() {
  const std::uint64_t bits = size_bytes_ * 8;
  std::string tail(1, '\x80');
  tail.append((120 - (size_bytes_ + 1) % 64) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8)
    tail += static_cast<char>(bits >> shift & 0xffU);
  add(tail);
  std::string out;
  for (const std::uint32_t word : state_)
    out += fmt::format("{:08x}", word);
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 sha;
  sha.add(bytes);
  return sha.hex();
}

Result<std::string> sha256_of(const std::filesystem::path& path) {
  Sha256 sha;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    PROF_CHECK(add_file(sha, path));
    return sha.hex();
  }
  PROF_TRY(const auto files, trace_files_below(path));
  for (const auto& file : files) {
    const std::string name = file.lexically_relative(path).generic_string();
    sha.add(fmt::format("{}:{}\n", name.size(), name));
    PROF_CHECK(add_file(sha, file));
  }
  return sha.hex();
}

} // namespace prof
