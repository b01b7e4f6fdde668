// reader_fuzz.hpp: any bytes through one reader into a store. Readers take paths: the bytes stand in a file
// in memory. (Not a memfd: SQLite resolves links and finds no file behind /proc/self/fd.)
#pragma once
#include "import/reader.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

inline int fuzz_reader(std::string_view name, const std::uint8_t* data, std::size_t size) {
  static std::string path = "/dev/shm/fuzz-XXXXXX";
  static const int fd = mkostemp(path.data(), O_CLOEXEC);
  static const int at_end = std::atexit([] { unlink(path.c_str()); });
  if (at_end != 0) std::abort();
  if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const prof::Reader* reader : prof::all_readers()) {
    if (reader->name != name) continue;
    prof::StoreBuilder builder;
    if (reader->read(path, builder).ok()) (void)builder.seal();
    return 0;
  }
  std::abort(); // no such reader
}
