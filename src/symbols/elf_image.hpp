// elf_image.hpp: the bytes, segments and build id of one ELF file (libelf).
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <elfutils/libdw.h>
#include <filesystem>
#include <gelf.h>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// Owns a file descriptor and libelf's handle on it.
class ElfImage {
public:
  [[nodiscard]] static Result<ElfImage> open(const std::filesystem::path& path);
  ElfImage(ElfImage&& other) noexcept;
  ElfImage& operator=(ElfImage&&) = delete;
  ElfImage(const ElfImage&) = delete;
  ElfImage& operator=(const ElfImage&) = delete;
  ~ElfImage();

  [[nodiscard]] std::string build_id() const;
  [[nodiscard]] std::uint16_t machine() const { return machine_; }
  // The file's bytes of [start, end) by ELF virtual address; shorter, or empty, where the file has none.
  // Lives with the image.
  [[nodiscard]] std::string_view code(std::uint64_t start, std::uint64_t end) const;
  [[nodiscard]] Result<std::uint64_t> address_of_offset(std::uint64_t file_offset) const;

private:
  ElfImage() = default;
  void read_segments();
  struct Segment {
    std::uint64_t offset, address, file_size;
  };
  int fd_ = -1;
  Elf* elf_ = nullptr;
  std::uint16_t machine_ = 0;
  std::vector<Segment> segments_;
};

} // namespace prof::detail
