#include "import/decompress.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace prof {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kRatio = 250; // unpacked to packed, at most; of traces it is below 50
// What a beginning this long unpacks at, the rest does: a bomb ends here and not when the limit is reached.
constexpr std::int64_t kSure = std::int64_t{128} << 20;

// Two open files and what came out so far.
struct Streams {
  int in = -1, out = -1;
  std::int64_t written = 0, max_bytes = 0;
  std::int64_t packed_bytes = 1, taken = 0; // of the file, and read so far
  std::filesystem::path in_path, out_path;
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    if (in >= 0) ::close(in);
    if (out >= 0) ::close(out);
  }

  Result<std::size_t> read(std::string& buffer) {
    for (;;) {
      const ssize_t got = ::read(in, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno_error("error.cannot_read", in_path);
      taken += got;
      return static_cast<std::size_t>(got);
    }
  }
  // A zstd frame says its unpacked size at its beginning, or not at all.
  [[nodiscard]] bool is_declared_too_large(std::string_view frame) const {
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    return size != ZSTD_CONTENTSIZE_UNKNOWN && size != ZSTD_CONTENTSIZE_ERROR &&
           size > static_cast<unsigned long long>(max_bytes);
  }
  [[nodiscard]] Error too_large() const {
    return error_said(Errc::budget, "error.unpacks_too_large", in_path.string(), fmt::arg("n", max_bytes));
  }
  // `left`: of the packed bytes read, those that are still to be unpacked.
  Status write(std::string_view bytes, std::size_t left) {
    written += std::ssize(bytes);
    const std::int64_t used = taken - static_cast<std::int64_t>(left);
    // At this ratio the rest unpacks to twice what is allowed.
    const bool is_bomb = written >= kSure && used > 0 && written / used > 2 * max_bytes / packed_bytes;
    if (is_bomb)
      return error_said(Errc::budget, "error.unpacks_like_bomb", in_path.string(),
                        fmt::arg("n", written / used));
    if (written > max_bytes) return too_large();
    while (!bytes.empty()) {
      const ssize_t done = ::write(out, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return errno_error("error.no_room_to_unpack", out_path);
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
  }
};

// Damage ends the stream; what came out before it is kept. True: it ended as it should.
Result<bool> unpack_gzip(Streams& files) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return Error{Errc::internal, "zlib cannot start", {}};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string in(kBuffer, '\0'), out(kBuffer, '\0');
  bool is_whole = false;
  for (;;) {
    PROF_TRY(const std::size_t got, files.read(in));
    if (got == 0) return is_whole;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(got);
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      const int rc = inflate(&stream, Z_NO_FLUSH);
      PROF_CHECK(
          files.write(std::string_view(out).substr(0, out.size() - stream.avail_out), stream.avail_in));
      is_whole = rc == Z_STREAM_END;
      if (is_whole)
        inflateReset(&stream); // members may follow each other
      else if (rc != Z_OK && rc != Z_BUF_ERROR)
        return false;
    } while (stream.avail_in > 0 || (stream.avail_out == 0 && !is_whole));
  }
}

Result<bool> unpack_zstd(Streams& files) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) return Error{Errc::internal, "zstd cannot start", {}};
  std::string in(kBuffer, '\0'), out(kBuffer, '\0');
  bool is_whole = false;
  for (;;) {
    PROF_TRY(const std::size_t got, files.read(in));
    if (got == 0) return is_whole;
    if (files.written == 0 && files.is_declared_too_large(std::string_view(in).substr(0, got)))
      return files.too_large();
    ZSTD_inBuffer from{in.data(), got, 0};
    bool is_full = true;
    while (from.pos < from.size || is_full) {
      ZSTD_outBuffer to{out.data(), out.size(), 0};
      const std::size_t more = ZSTD_decompressStream(context.get(), &to, &from);
      if (ZSTD_isError(more) != 0) return false;
      is_whole = more == 0; // the end of a frame
      PROF_CHECK(files.write(std::string_view(out).substr(0, to.pos), from.size - from.pos));
      is_full = to.pos == to.size && !is_whole;
    }
  }
}

} // namespace

Packing packing_of(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return Packing::gzip;
  if (head.starts_with("\x28\xb5\x2f\xfd")) return Packing::zstd;
  return Packing::none;
}

std::string unpacked_head(std::string_view packed, Packing packing, std::size_t size) {
  std::string out(size, '\0');
  if (packing == Packing::zstd) {
    const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
    ZSTD_inBuffer from{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (context && from.pos < from.size && to.pos < to.size)
      if (ZSTD_isError(ZSTD_decompressStream(context.get(), &to, &from)) != 0) break;
    out.resize(to.pos);
    return out;
  }
  std::string in(packed);
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) return {};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  int rc = Z_OK;
  while (rc == Z_OK && stream.avail_in > 0 && stream.avail_out > 0) {
    rc = inflate(&stream, Z_NO_FLUSH);
    if (rc == Z_STREAM_END) rc = inflateReset(&stream); // members may follow each other
  }
  out.resize(out.size() - stream.avail_out);
  return out;
}

std::int64_t most_unpacked(std::int64_t packed_bytes) {
  return std::clamp(packed_bytes, kGiB / kRatio, 64 * kGiB / kRatio) * kRatio;
}

Result<UnpackedFile> decompress_to_temp(const std::filesystem::path& path, Packing packing,
                                        std::int64_t max_bytes) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  Streams files;
  files.max_bytes = max_bytes;
  files.in_path = path;
  files.in = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (files.in < 0) return errno_error("error.cannot_open", path);
  const auto size = std::filesystem::file_size(path, error);
  files.packed_bytes = error ? 1 : std::max<std::int64_t>(static_cast<std::int64_t>(size), 1);
  remove_stale_parts(folder);
  files.out = create_part(folder, files.out_path);
  if (files.out < 0) return errno_error("error.cannot_unpack", files.out_path);
  UnpackedFile plain{.lock = PartLock(::fcntl(files.out, F_DUPFD_CLOEXEC, 0)),
                     .file = Temporary(files.out_path)};
  PROF_TRY(const bool is_whole, packing == Packing::gzip ? unpack_gzip(files) : unpack_zstd(files));
  plain.is_cut = !is_whole;
  if (files.written == 0) return error_said(Errc::malformed, "error.nothing_unpacked", path.string());
  return plain;
}

} // namespace prof
