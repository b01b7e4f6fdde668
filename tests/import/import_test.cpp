// Any file in, a trace or one clear line out: the format is found in the content, packed files are unpacked,
// and what is no trace is named for what it is.
#include "../plan/run_script.hpp"
#include "base/part_file.hpp"
#include "import/decompress.hpp"
#include "import/reader.hpp"
#include "packing.hpp"
#include "store/store.hpp"
#include "tracefile/writer.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A native trace of `n` slices "work".
std::string native_trace(const Folder& folder, int n) {
  const auto path = folder.path() / "native.pb";
  auto writer = TraceFileWriter::create(path, {.compress = false, .is_live = false});
  EXPECT_TRUE(writer.ok());
  TraceSink& sink = **writer;
  const auto process = sink.process({.pid = 1, .name = sink.intern("svc"), .cmdline = {}});
  const auto thread = sink.thread({.process = process, .tid = 2, .name = sink.intern("worker")});
  const auto track = sink.track(
      {.name = {}, .kind = TrackKind::thread, .thread = thread, .process = {}, .stream = {}, .parent = {}});
  for (int i = 0; i < n; ++i)
    sink.slice({.track = track,
                .ts = Ts{1000 * i},
                .dur = Dur{500},
                .name = sink.intern("work"),
                .category = {},
                .layer = Layer::application,
                .args = {},
                .flows_out = {},
                .flows_in = {}});
  EXPECT_TRUE((*writer)->finish().ok());
  std::string bytes = *read_file(path, 1 << 26);
  std::filesystem::remove(path);
  return bytes;
}

class Import : public testing::Test {
protected:
  std::filesystem::path file(const std::string& name, std::string_view content) {
    folder_.write(name, content);
    return folder_.path() / name;
  }
  // The store of a file; what kept it from being one in `error_`.
  std::optional<Store> load(const std::filesystem::path& path) {
    StoreBuilder builder;
    if (auto status = import_trace(path, builder); !status) {
      error_ = std::move(status).error();
      return std::nullopt;
    }
    return builder.seal();
  }
  static std::vector<std::string> notes(const Store& store) {
    std::vector<std::string> codes;
    for (const StrId code : store.tables().note.code)
      codes.emplace_back(store.text(code));
    return codes;
  }
  Folder folder_;
  Error error_;
};

TEST(Readers, have_a_name_each_and_a_description_in_the_catalogue) {
  std::set<std::string_view> names;
  for (const Reader* reader : all_readers()) {
    EXPECT_TRUE(names.insert(reader->name).second) << reader->name;
    EXPECT_EQ(std::string(reader->description), "import.format." + std::string(reader->name));
  }
  EXPECT_TRUE(names.contains("perfetto"));
}

TEST(Readers, claim_nothing_of_no_bytes_and_no_folder) {
  for (const Reader* reader : all_readers())
    EXPECT_EQ(reader->sniff("", "x", false), 0) << reader->name;
}

TEST(Readers, leave_alone_what_the_kernel_makes_up) {
  for (const char* path : {"/proc", "/sys", "/proc/self/status", "/proc/self/task"}) {
    StoreBuilder builder;
    const Status read = import_trace(path, builder);
    ASSERT_FALSE(read) << path;
    EXPECT_EQ(read.error().code, Errc::malformed);
    EXPECT_EQ(read.error().where, path);
  }
}

TEST_F(Import, finds_the_format_in_the_content_whatever_the_name) {
  const std::string bytes = native_trace(folder_, 5);
  for (const char* name : {"t.pb", "t.json", "t.gz", "t", "t.pb.txt", "-t"}) {
    const auto store = load(file(name, bytes));
    ASSERT_TRUE(store) << name << ": " << error_.what;
    EXPECT_EQ(store->tables().slice.ts.size(), 5U) << name;
    EXPECT_THAT(notes(*store), IsEmpty());
  }
}

TEST_F(Import, unpacks_gzip_and_zstd_whatever_the_name) {
  const std::string bytes = native_trace(folder_, 2000);
  for (const auto& [name, packed] : {std::pair{"t.pb.gz", gzip(bytes)}, std::pair{"t.pb.zst", zstd(bytes)},
                                     std::pair{"packed.pb", gzip(bytes)}, std::pair{"packed", zstd(bytes)}}) {
    const auto store = load(file(name, packed));
    ASSERT_TRUE(store) << name << ": " << error_.what;
    EXPECT_EQ(store->tables().slice.ts.size(), 2000U) << name;
    EXPECT_THAT(notes(*store), IsEmpty()) << name;
  }
}

TEST_F(Import, reads_members_and_frames_that_follow_each_other) {
  const std::string bytes = native_trace(folder_, 100);
  const std::string_view first = std::string_view(bytes).substr(0, 333),
                         second = std::string_view(bytes).substr(333);
  for (const std::string& packed : {gzip(first) + gzip(second), zstd(first) + zstd(second)}) {
    const auto store = load(file("two", packed));
    ASSERT_TRUE(store) << error_.what;
    EXPECT_EQ(store->tables().slice.ts.size(), 100U);
    EXPECT_THAT(notes(*store), IsEmpty());
  }
}

TEST_F(Import, of_a_packed_file_that_breaks_off_keeps_what_came_before_and_says_so) {
  const std::string bytes = native_trace(folder_, 50'000);
  for (std::string packed : {gzip(bytes), zstd(bytes)}) {
    packed.resize(packed.size() * 3 / 4);
    const auto store = load(file("cut", packed));
    ASSERT_TRUE(store) << error_.what;
    EXPECT_GT(store->tables().slice.ts.size(), 1000U);
    EXPECT_LT(store->tables().slice.ts.size(), 50'000U);
    EXPECT_THAT(notes(*store), testing::Contains("note.import.packed_cut"));
  }
}

TEST_F(Import, of_a_packed_file_with_a_flipped_byte_keeps_the_good_part_or_says_that_there_is_none) {
  const std::string bytes = native_trace(folder_, 5000);
  for (const std::string& packed : {gzip(bytes), zstd(bytes)})
    for (const std::size_t at : {std::size_t{5}, packed.size() / 2, packed.size() - 2}) {
      std::string bad = packed;
      bad[at] = static_cast<char>(bad[at] ^ 0x55);
      if (const auto store = load(file("bad", bad)))
        EXPECT_LE(store->tables().slice.ts.size(), 5000U);
      else
        EXPECT_EQ(error_.code, Errc::malformed);
    }
}

TEST_F(Import, unpacks_one_layer_only) {
  const std::string trace = native_trace(folder_, 5);
  for (const std::string& twice : {gzip(gzip(trace)), gzip(zstd(trace)), zstd(gzip(trace))}) {
    EXPECT_FALSE(load(file("twice.gz", twice)));
    EXPECT_EQ(error_.code, Errc::malformed);
    EXPECT_THAT(error_.what, HasSubstr("a packed file inside a packed file"));
  }
}

TEST_F(Import, leaves_nothing_in_the_temporary_folder) {
  std::filesystem::create_directory(folder_.path() / "tmp");
  const std::string old = getenv("TMPDIR") != nullptr ? getenv("TMPDIR") : "";
  setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
  EXPECT_TRUE(load(file("t.gz", gzip(native_trace(folder_, 5)))));
  EXPECT_FALSE(load(file("text.gz", gzip("only text"))));
  EXPECT_FALSE(load(file("cut.gz", gzip("only text").substr(0, 12))));
  old.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "tmp"));
}

TEST_F(Import, unpacking_removes_what_a_killed_command_left_and_nothing_that_is_in_use) {
  const auto tmp = folder_.path() / "parts";
  std::filesystem::create_directory(tmp);
  const std::string old = getenv("TMPDIR") ? getenv("TMPDIR") : "";
  setenv("TMPDIR", tmp.c_str(), 1);
  std::filesystem::path left, used;
  close(create_part(tmp, left)); // as the kernel does for a process that is killed
  const int in_use = create_part(tmp, used);
  const auto packed = file("a.gz", gzip("some text"));
  const auto first = decompress_to_temp(packed, Packing::gzip, 1000);
  const auto second = decompress_to_temp(packed, Packing::gzip, 1000);
  old.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(used));
  EXPECT_EQ(std::filesystem::file_size(first->file.path()), 9u);
  EXPECT_EQ(std::filesystem::file_size(second->file.path()), 9u);
  close(in_use);
}

TEST(Unpacking, is_bounded_by_the_size_of_the_packed_file) {
  EXPECT_EQ(most_unpacked(0), (std::int64_t{1} << 30) / 250 * 250);
  EXPECT_EQ(most_unpacked(10'000'000), 2'500'000'000);
  EXPECT_LE(most_unpacked(std::int64_t{1} << 50), std::int64_t{64} << 30);
}

TEST_F(Import, a_zip_bomb_meets_the_bound_without_filling_memory) {
  const std::string zeros(std::size_t{8} << 20, '\0');
  for (const auto& [packed, packing] :
       {std::pair{gzip(zeros), Packing::gzip}, std::pair{zstd(zeros), Packing::zstd}}) {
    const auto path = file("bomb", packed);
    const auto temp = decompress_to_temp(path, packing, std::int64_t{4} << 20);
    ASSERT_FALSE(temp.ok());
    EXPECT_EQ(temp.error().code, Errc::budget);
    EXPECT_THAT(temp.error().what, HasSubstr("unpacks to more than 4194304 bytes"));
    EXPECT_TRUE(
        decompress_to_temp(path, packing, std::int64_t{8} << 20).ok()); // exactly the bound is no bomb
  }
}

// The file may not grow beyond what a beginning takes: a refusal later than that is another error.
TEST_F(Import, a_bomb_of_many_gigabytes_is_refused_at_its_beginning) {
  const std::string member = gzip(std::string(std::size_t{8} << 20, '\0'));
  std::string bomb;
  for (int i = 0; i < 700; ++i)
    bomb += member;
  const auto path = file("bomb", bomb);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit beginning{.rlim_cur = rlim_t{160} << 20, .rlim_max = before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &beginning), 0);
  const auto temp = decompress_to_temp(path, Packing::gzip, most_unpacked(std::ssize(bomb)));
  // A frame that says how much it holds is not unpacked at all.
  const auto declared = decompress_to_temp(file("frame", zstd(std::string(std::size_t{8} << 20, '\0'))),
                                           Packing::zstd, std::int64_t{4} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(temp.ok());
  EXPECT_EQ(temp.error().code, Errc::budget) << temp.error().what;
  EXPECT_THAT(temp.error().what, HasSubstr("as no trace does"));
  EXPECT_THAT(temp.error().zh, HasSubstr("追踪文件不会如此"));
  ASSERT_FALSE(declared.ok());
  EXPECT_EQ(declared.error().code, Errc::budget);
}

TEST_F(Import, says_what_is_wrong_with_a_file_that_is_no_trace) {
  const auto what = [&](const std::filesystem::path& path, Errc code) {
    EXPECT_FALSE(load(path)) << path;
    EXPECT_EQ(error_.code, code) << path;
    EXPECT_THAT(error_.where, HasSubstr(path.string()));
    EXPECT_EQ(error_.what.find('\n'), std::string::npos);
    return error_.what;
  };
  EXPECT_EQ(what(folder_.path() / "none.pb", Errc::missing), "no such file");
  EXPECT_EQ(what(file("empty.pb", ""), Errc::malformed), "the file is empty");
  EXPECT_THAT(what(file("text.pb", "just some words\n"), Errc::malformed),
              HasSubstr("unknown format; known are: "));
  EXPECT_THAT(what(file("zeros.pb", std::string(5000, '\0')), Errc::malformed), HasSubstr("unknown format"));
  EXPECT_THAT(what(file("lines.txt", "\n\n\nwords\n"), Errc::malformed), HasSubstr("unknown format"));
  EXPECT_THAT(what(file("png", "\x89PNG\r\n\x1a\n" + std::string(100, 'x')), Errc::malformed),
              HasSubstr("unknown format"));
  EXPECT_THAT(what(file("empty.gz", gzip("")), Errc::malformed), HasSubstr("nothing could be unpacked"));
  EXPECT_THAT(what(file("stub.gz", "\x1f\x8b"), Errc::malformed), HasSubstr("nothing could be unpacked"));
  std::filesystem::create_directory(folder_.path() / "folder");
  EXPECT_THAT(what(folder_.path() / "folder", Errc::malformed), HasSubstr("unknown format (a folder)"));
}

TEST_F(Import, does_not_wait_for_a_pipe) {
  ASSERT_EQ(mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(load(folder_.path() / "pipe"));
  EXPECT_THAT(error_.what, HasSubstr("no regular file"));
}

TEST_F(Import, names_the_permission_that_is_missing) {
  const auto path = file("secret.pb", native_trace(folder_, 1));
  std::filesystem::permissions(path, std::filesystem::perms::none);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  const bool is_root = geteuid() == 0; // root may read anything: another user tries
  if (is_root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  EXPECT_FALSE(load(path));
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(error_.code, Errc::permission);
}

// The program's answers: exit status and exactly one line that says what is wrong.
TEST_F(Import, of_the_program_ends_with_the_statuses_of_the_contract) {
  const std::string profiler = PROF_BINARY_DIR "/bin/profiler ";
  file("good.pb", native_trace(folder_, 5));
  file("good.pb.gz", gzip(native_trace(folder_, 5)));
  file("good.pb.zst", zstd(native_trace(folder_, 5)));
  file("empty.pb", "");
  file("text.pb", "words\n");
  file("stub.gz", "\x1f\x8b");
  std::filesystem::create_directory(folder_.path() / "folder");
  const std::vector<std::pair<std::string, int>> cases{{"import good.pb --output out.pb", 0},
                                                       {"import good.pb.gz --output out_gz.pb", 0},
                                                       {"import good.pb.zst --output out_zst.pb", 0},
                                                       {"import none.pb --output x.pb", 3},
                                                       {"import empty.pb --output x.pb", 3},
                                                       {"import text.pb --output x.pb", 3},
                                                       {"import stub.gz --output x.pb", 3},
                                                       {"import folder --output x.pb", 3},
                                                       {"import good.pb --output x.docx", 2},
                                                       {"info good.pb.gz", 0},
                                                       {"info empty.pb", 3},
                                                       {"diagnose --trace good.pb.zst", 0},
                                                       {"diagnose --trace text.pb", 3},
                                                       {"import good.pb --output no/such/folder/x.pb", 3}};
  for (const auto& [arguments, status] : cases) {
    const Ran ran = run_in(folder_.path(), profiler + arguments + " --lang en --no_journal");
    EXPECT_EQ(ran.status, status) << arguments << ": " << ran.output;
    if (status != 0) {
      EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << arguments << ": " << ran.output;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.pb")) << "an output appears whole or not at all";
  EXPECT_EQ(folder_.read("out.pb"), folder_.read("out_gz.pb"));
  EXPECT_EQ(folder_.read("out.pb"), folder_.read("out_zst.pb"));
}

} // namespace
} // namespace prof
