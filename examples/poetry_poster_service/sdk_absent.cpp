// The SDK's two symbols where the SDK is not part of the build: a word that stays 0, so that no call does anything.
#include "sdk/prof_sdk.h"

#include <cstddef>
#include <cstdint>

namespace {
const std::uint32_t kOff = 0;
void service(const char*, std::size_t) {}
prof_name intern(const char*, std::size_t) { return 0; }
prof_sdk_table make_table() {
  prof_sdk_table table{};
  table.service = service;
  table.intern = intern;
  return table;
}
const prof_sdk_table kTable = make_table();
} // namespace
const std::uint32_t* prof_sdk_word = &kOff;
const prof_sdk_table* prof_sdk_api = &kTable;
