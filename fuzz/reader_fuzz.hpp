// reader_fuzz.hpp: any bytes through one reader into a store. Readers take paths: the bytes stand in a memory
// file.
#pragma once
#include "import/reader.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

inline int fuzz_reader(std::string_view name, const std::uint8_t* data, std::size_t size) {
  static const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(fd);
  if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const prof::Reader* reader : prof::all_readers()) {
    if (reader->name != name) continue;
    prof::StoreBuilder builder;
    if (reader->read(path, builder).ok()) (void)builder.seal();
    return 0;
  }
  std::abort(); // no such reader
}
