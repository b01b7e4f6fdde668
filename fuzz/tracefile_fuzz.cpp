// Any bytes through the .pb reader into a store: no crash, no overflow, no unbounded memory.
#include "store/store.hpp"
#include "tracefile/reader.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool is_given = false;
  prof::StoreBuilder builder;
  const prof::Status read = prof::read_tracefile(
      [&]() -> prof::Result<std::string_view> {
        return std::exchange(is_given, true) ? std::string_view{} : bytes;
      },
      builder);
  if (read.ok()) (void)builder.seal();
  return 0;
}
