#include "base/sha256.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace prof;

// Vectors of FIPS 180-4 / NIST CAVP.
TEST(sha256, gives_the_published_digests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, does_not_depend_on_how_the_bytes_are_cut) {
  for (const std::size_t length : {1U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 200U}) {
    const std::string bytes(length, 'x');
    Sha256 cut;
    for (const char c : bytes)
      cut.add({&c, 1});
    EXPECT_EQ(cut.hex(), sha256_hex(bytes)) << length;
  }
}

TEST(sha256, of_a_file_is_that_of_its_bytes_and_of_a_folder_depends_on_names) {
  const auto folder = std::filesystem::temp_directory_path() / "prof_sha256_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a") << "abc";
  EXPECT_EQ(*sha256_of(folder / "a"), sha256_hex("abc"));
  const std::string before = *sha256_of(folder);
  std::filesystem::rename(folder / "a", folder / "b");
  EXPECT_NE(*sha256_of(folder), before);
  EXPECT_EQ(sha256_of(folder / "gone").error().code, Errc::missing);
  std::filesystem::remove_all(folder);
}
