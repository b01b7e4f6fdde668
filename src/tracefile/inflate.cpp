#include "tracefile/inflate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <zlib.h>
#include <zstd.h>

namespace prof::detail {
namespace {

constexpr std::size_t kStep = std::size_t{256} * 1024;

Error too_large(std::size_t max_bytes) {
  return Error{Errc::budget,
               fmt::format("a compressed group inflates to more than the {} bytes allowed", max_bytes),
               {}};
}

} // namespace

Result<std::string> inflate_zlib(std::string_view packed, std::size_t max_bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS) != Z_OK) return Error{Errc::internal, "zlib cannot start", {}};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string in(packed.substr(0, std::size_t{1} << 30)); // zlib wants writable bytes and a 32-bit count
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  std::string out;
  for (;;) {
    const std::size_t had = out.size();
    out.resize(std::min(had + kStep, max_bytes + 1));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = static_cast<uInt>(out.size() - had);
    const int rc = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (out.size() > max_bytes) return too_large(max_bytes);
    if (rc == Z_STREAM_END) return out;
    if (rc != Z_OK) return Error{Errc::malformed, "a compressed group is damaged", {}};
  }
}

Result<std::string> inflate_zstd(std::string_view packed, std::size_t max_bytes) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) return Error{Errc::internal, "zstd cannot start", {}};
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::string out;
  std::size_t left = 1;
  while (left != 0) {
    const std::size_t had = out.size();
    out.resize(std::min(had + kStep, max_bytes + 1));
    ZSTD_outBuffer to{out.data(), out.size(), had};
    const std::size_t before = in.pos;
    left = ZSTD_decompressStream(context.get(), &to, &in);
    if (ZSTD_isError(left) != 0) return Error{Errc::malformed, "a compressed group is damaged", {}};
    out.resize(to.pos);
    if (out.size() > max_bytes) return too_large(max_bytes);
    if (left != 0 && to.pos == had && in.pos == before)
      return Error{Errc::malformed, "a compressed group ends too early", {}};
  }
  return out;
}

} // namespace prof::detail
