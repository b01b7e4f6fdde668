#include "symbols/elf_image.hpp"

#include "base/file.hpp"

#include <algorithm>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace prof::detail {

Result<ElfImage> ElfImage::open(const std::filesystem::path& path) {
  elf_version(EV_CURRENT);
  ElfImage image;
  // A path out of a trace may name a pipe by now: without O_NONBLOCK this would wait for a writer.
  image.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (image.fd_ < 0) return errno_error("error.cannot_open", path);
  struct stat info{};
  if (::fstat(image.fd_, &info) != 0 || !S_ISREG(info.st_mode))
    return Error{Errc::malformed, "is no regular file", path.string()};
  image.elf_ = elf_begin(image.fd_, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header{};
  if (image.elf_ == nullptr || elf_kind(image.elf_) != ELF_K_ELF ||
      gelf_getehdr(image.elf_, &header) == nullptr)
    return Error{Errc::malformed, "is no ELF file", path.string()};
  image.machine_ = header.e_machine;
  image.read_segments();
  return image;
}

ElfImage::ElfImage(ElfImage&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), elf_(std::exchange(other.elf_, nullptr)), machine_(other.machine_),
      segments_(std::move(other.segments_)) {}

ElfImage::~ElfImage() {
  if (elf_ != nullptr) elf_end(elf_);
  if (fd_ >= 0) ::close(fd_);
}

void ElfImage::read_segments() {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment{};
    if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr || segment.p_type != PT_LOAD) continue;
    segments_.push_back({segment.p_offset, segment.p_vaddr, segment.p_filesz});
  }
}

std::string ElfImage::build_id() const {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_, &bytes);
  std::string hex;
  for (ssize_t i = 0; i < std::min<ssize_t>(size, 64); ++i)
    hex += fmt::format("{:02x}", static_cast<const unsigned char*>(bytes)[i]);
  return hex;
}

std::string_view ElfImage::code(std::uint64_t start, std::uint64_t end) const {
  std::size_t size = 0;
  const char* raw = elf_rawfile(elf_, &size);
  if (raw == nullptr || end <= start) return {};
  for (const Segment& segment : segments_) {
    if (start < segment.address || start - segment.address >= segment.file_size) continue;
    const std::uint64_t into = start - segment.address;
    const std::uint64_t length = std::min(end - start, segment.file_size - into);
    if (segment.offset > size || into > size - segment.offset) return {};
    const std::uint64_t offset = segment.offset + into;
    return {raw + offset, static_cast<std::size_t>(std::min<std::uint64_t>(length, size - offset))};
  }
  return {};
}

Result<std::uint64_t> ElfImage::address_of_offset(std::uint64_t file_offset) const {
  for (const Segment& segment : segments_)
    if (file_offset >= segment.offset && file_offset - segment.offset < segment.file_size)
      return file_offset - segment.offset + segment.address;
  return Error{Errc::missing, fmt::format("file offset {:#x} is in no loaded segment", file_offset), {}};
}

} // namespace prof::detail
