#include "symbols/symbols.hpp"

#include "base/file.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

// Known functions of this very program.
namespace prof_symbols_test {
constexpr unsigned kKnownLine = __LINE__ + 1;
[[gnu::noinline]] int known_function(int x) {
  volatile int y = x;
  return y * 3 + 1;
}
constexpr unsigned kInlinedLine = __LINE__ + 2;
[[gnu::always_inline]] inline int inlined_callee(volatile int* at) {
  return *at + 41;
}
constexpr unsigned kCallLine = __LINE__ + 3;
[[gnu::noinline]] int inlining_caller(int x) {
  volatile int y = x;
  return inlined_callee(&y); // kCallLine
}
} // namespace prof_symbols_test

namespace prof {
namespace {

using testing::HasSubstr;

// ELF virtual address of a function of this program: run-time address minus load bias.
std::uint64_t address_of(int (*function)(int)) {
  Dl_info info{};
  link_map* map = nullptr;
  EXPECT_NE(
      dladdr1(reinterpret_cast<void*>(function), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP), 0);
  return reinterpret_cast<std::uint64_t>(function) - map->l_addr;
}
std::unique_ptr<SymbolFile> self() {
  auto file = SymbolFile::open("/proc/self/exe");
  EXPECT_TRUE(file.ok());
  return std::move(*std::move(file));
}

TEST(Symbols, function_name_file_and_line_of_a_known_address) {
  const auto file = self();
  const auto frames = file->lookup(address_of(&prof_symbols_test::known_function));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "prof_symbols_test::known_function(int)");
  EXPECT_THAT(frames[0].source_file, HasSubstr("symbols_test.cpp"));
  EXPECT_EQ(frames[0].line, prof_symbols_test::kKnownLine);
}

TEST(Symbols, function_range_holds_the_address_and_ends_before_the_next_function) {
  const auto file = self();
  const std::uint64_t start = address_of(&prof_symbols_test::known_function);
  const auto range = file->function_at(start + 4);
  ASSERT_TRUE(range.ok());
  EXPECT_EQ(range->function, "prof_symbols_test::known_function(int)");
  EXPECT_EQ(range->start, start);
  EXPECT_GT(range->end, start + 4);
  EXPECT_LT(range->end, start + 4096);
}

TEST(Symbols, inlined_functions_follow_their_caller) {
  const auto file = self();
  const auto range = file->function_at(address_of(&prof_symbols_test::inlining_caller));
  ASSERT_TRUE(range.ok());
  bool found = false;
  for (std::uint64_t pc = range->start; pc < range->end && !found; ++pc) {
    const auto frames = file->lookup(pc);
    if (frames.size() != 2) continue;
    found = true;
    EXPECT_EQ(frames[0].function, "prof_symbols_test::inlining_caller(int)");
    EXPECT_THAT(frames[1].function, HasSubstr("inlined_callee"));
    EXPECT_EQ(frames[0].line, prof_symbols_test::kCallLine);
    EXPECT_EQ(frames[1].line, prof_symbols_test::kInlinedLine);
  }
  EXPECT_TRUE(found);
}

// As clang leaves it: only its units say what they cover.
TEST(Symbols, a_file_without_a_table_of_addresses_has_the_same_lines_and_inlined_functions) {
  const std::string copy = std::filesystem::temp_directory_path() / ("symbols_" + std::to_string(::getpid()));
  const std::string made = "objcopy -R .debug_aranges /proc/" + std::to_string(::getpid()) + "/exe " + copy;
  ASSERT_EQ(std::system(made.c_str()), 0);
  const auto bare = SymbolFile::open(copy);
  std::filesystem::remove(copy);
  ASSERT_TRUE(bare.ok());
  const auto whole = self();
  for (const auto function : {&prof_symbols_test::known_function, &prof_symbols_test::inlining_caller}) {
    const auto range = whole->function_at(address_of(function));
    ASSERT_TRUE(range.ok());
    for (std::uint64_t pc = range->start; pc < range->end; ++pc) {
      const auto expected = whole->lookup(pc), frames = (*bare)->lookup(pc);
      ASSERT_EQ(frames.size(), expected.size()) << pc - range->start;
      for (std::size_t i = 0; i < frames.size(); ++i) {
        EXPECT_EQ(frames[i].function, expected[i].function);
        EXPECT_EQ(frames[i].source_file, expected[i].source_file);
        EXPECT_EQ(frames[i].line, expected[i].line) << pc - range->start;
      }
    }
  }
}

TEST(Symbols, disassembly_covers_the_function_without_holes_and_has_lines) {
  const auto file = self();
  const auto range = file->function_at(address_of(&prof_symbols_test::known_function));
  ASSERT_TRUE(range.ok());
  const auto code = file->disassemble(range->start, range->end, 1000);
  ASSERT_TRUE(code.ok());
  ASSERT_FALSE(code->empty());
  std::uint64_t expected = range->start;
  bool has_return = false, has_line = false;
  for (const Instruction& instruction : *code) {
    EXPECT_EQ(instruction.address, expected);
    expected += instruction.bytes.size() / 2;
    has_return = has_return || instruction.text.starts_with("ret");
    has_line = has_line || instruction.line == prof_symbols_test::kKnownLine + 1;
  }
  EXPECT_EQ(expected, range->end);
  EXPECT_TRUE(has_return);
  EXPECT_TRUE(has_line);
}

TEST(Symbols, disassembly_stops_at_max_count) {
  const auto file = self();
  const auto range = file->function_at(address_of(&prof_symbols_test::known_function));
  ASSERT_TRUE(range.ok());
  const auto code = file->disassemble(range->start, range->end, 2);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(code->size(), 2U);
}

TEST(Symbols, build_id_is_the_linkers_and_a_wrong_one_is_refused) {
  const auto file = self();
  ASSERT_FALSE(file->build_id().empty());
  EXPECT_EQ(file->build_id(), read_build_id("/proc/self/exe"));
  EXPECT_TRUE(SymbolFile::open("/proc/self/exe", file->build_id()).ok());
  const auto other = SymbolFile::open("/proc/self/exe", "00ff");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, Errc::bad_argument);
}

TEST(Symbols, file_offset_maps_to_the_address_that_the_loader_uses) {
  const auto file = self();
  const auto address = file->address_of_offset(0);
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(*address, 0U); // a position-independent program begins at address 0
  EXPECT_FALSE(file->address_of_offset(std::uint64_t{1} << 60).ok());
}

TEST(Symbols, a_shared_library_without_debug_information_gives_dynamic_symbols) {
  Dl_info info{};
  link_map* map = nullptr;
  ASSERT_NE(
      dladdr1(reinterpret_cast<void*>(&::getpid), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP), 0);
  auto file = SymbolFile::open(info.dli_fname);
  ASSERT_TRUE(file.ok());
  const auto frames = (*file)->lookup(reinterpret_cast<std::uint64_t>(&::getpid) - map->l_addr);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_THAT(frames[0].function, HasSubstr("getpid"));
}

TEST(Symbols, an_address_outside_of_everything_gives_nothing) {
  const auto file = self();
  EXPECT_TRUE(file->lookup(0xffffffffffffff00ULL).empty());
  EXPECT_FALSE(file->function_at(0xffffffffffffff00ULL).ok());
  EXPECT_FALSE(file->disassemble(0xffffffffffffff00ULL, 0xffffffffffffffffULL, 10).ok());
}

TEST(Symbols, what_is_no_elf_file_is_refused_by_kind) {
  const auto folder = std::filesystem::temp_directory_path() / ("prof_symbols_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_file(folder / "text", "hello").ok());
  const auto text = SymbolFile::open(folder / "text");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, Errc::malformed);
  EXPECT_EQ(SymbolFile::open(folder / "nowhere").error().code, Errc::missing);
  EXPECT_FALSE(SymbolFile::open(folder).ok());
  EXPECT_EQ(read_build_id(folder / "text"), "");
  std::filesystem::remove_all(folder);
}

// A copy of this program cut at every 1/32 and with its headers overwritten: an answer or an error, never a
// crash.
TEST(Symbols, damaged_elf_files_never_crash) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("prof_symbols_damage_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto whole = read_file("/usr/lib/x86_64-linux-gnu/libz.so.1", 1 << 24);
  if (!whole.ok()) GTEST_SKIP() << "no small library here";
  for (int part = 0; part < 32; ++part) {
    std::string cut = whole->substr(0, whole->size() * static_cast<std::size_t>(part) / 32);
    ASSERT_TRUE(write_file(folder / "cut.so", cut).ok());
    if (auto file = SymbolFile::open(folder / "cut.so")) {
      static_cast<void>((*file)->lookup(0x3000));
      static_cast<void>((*file)->disassemble(0x3000, 0x3100, 100));
    }
    std::string flipped = *whole;
    for (std::size_t i = 0; i < 64; ++i)
      flipped[(i * 7919U + static_cast<std::size_t>(part) * 104729U) % flipped.size()] ^= '\x5a';
    for (std::size_t i = 0; i < 16; ++i)
      flipped[0x20 + (i * 5 + static_cast<std::size_t>(part)) % 0x200] = '\xff';
    ASSERT_TRUE(write_file(folder / "flipped.so", flipped).ok());
    if (auto file = SymbolFile::open(folder / "flipped.so")) {
      static_cast<void>((*file)->lookup(0x3000));
      static_cast<void>((*file)->disassemble(0x3000, 0x3100, 100));
    }
  }
  std::filesystem::remove_all(folder);
}

TEST(Demangle, cpp_and_rust_names) {
  EXPECT_EQ(demangle("_ZN4prof4pack9CompactorE"), "prof::pack::Compactor");
  EXPECT_EQ(demangle("_Z3addii"), "add(int, int)");
  EXPECT_EQ(demangle("_RNvC6_123foo3bar"), "123foo::bar");
}

TEST(Demangle, older_rust_names_lose_their_hash) {
  EXPECT_EQ(demangle("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
}

TEST(Demangle, static_constructors_say_what_they_are) {
  EXPECT_EQ(demangle("_GLOBAL__I_main"), "global constructors keyed to main");
}

TEST(Demangle, templates_operators_and_lambdas) {
  EXPECT_EQ(demangle("_ZNSt6vectorIiSaIiEE9push_backERKi"),
            "std::vector<int, std::allocator<int> >::push_back(int const&)");
  EXPECT_EQ(demangle("_ZplRK1aS1_"), "operator+(a const&, a const&)");
  EXPECT_EQ(demangle("_ZZ4mainENKUliE_clEi"), "main::{lambda(int)#1}::operator()(int) const");
}

// a<int, int>, then a<that, that>, then a<that, that> again: 60 levels are 2^60 ints.
TEST(Demangle, name_that_would_fill_memory_stays_as_it_is) {
  std::string name = "_Z1f1aIiiES_IS0_S0_E";
  EXPECT_EQ(demangle(name), "f(a<int, int>, a<a<int, int>, a<int, int> >)");
  static constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t level = 1; level < 36; ++level)
    name += std::string("S_IS") + kDigits[level] + "_S" + kDigits[level] + "_E";
  EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, deep_nesting_is_an_answer) {
  for (const char* piece : {"1aI", "P", "N1a", "F", "A1_", "K", "T_", "St", "DpT_", "LZ", "X"}) {
    std::string name = "_Z1f";
    while (name.size() < 16000)
      name += piece;
    EXPECT_FALSE(demangle(name).empty()) << piece;
  }
  EXPECT_FALSE(demangle("_RNvC" + std::string(15000, 'B')).empty());
  EXPECT_FALSE(demangle("_RI" + std::string(15000, 'I')).empty());
}

TEST(Demangle, bytes_behind_a_mangled_name_keep_it_mangled) {
  for (const char* name :
       {"_Z3addii.", "_Z3addii\n", "_Z3addiiZ", "_Z-1", "_ZN", "_R", "_RNvC", "_GLOBAL_", "_Z99999999999a"})
    EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, compilers_copies_are_named_as_such) {
  EXPECT_EQ(demangle("_Z3addii.cold"), "add(int, int) [clone .cold]");
  EXPECT_EQ(demangle("_Z3addii.constprop.0"), "add(int, int) [clone .constprop.0]");
}

TEST(Demangle, what_is_not_mangled_stays) {
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle(""), "");
  EXPECT_EQ(demangle("_Z"), "_Z");
  const std::string hostile = "_Z" + std::string(100000, '9');
  EXPECT_EQ(demangle(hostile), hostile);
}

} // namespace
} // namespace prof
