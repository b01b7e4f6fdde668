// When a recording's file is under its name: what was there before stays until there is something to read in
// its place, and whatever stops the recording, what is there can be read.
#include "trace_bytes.hpp"

#include <csignal>
#include <functional>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

class Appear : public testing::Test {
protected:
  Appear()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("prof_appear_{}", ::getpid())),
        path_(folder_ / "t.pb") {
    std::filesystem::create_directories(folder_);
  }
  ~Appear() override { std::filesystem::remove_all(folder_); }
  void put_old() const { std::ofstream(path_) << "old"; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }
  // Runs `work` in a child that may write files of `bytes` at most. 0 = it said that all is well.
  static int with_room_for(rlim_t bytes, const std::function<bool()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::_exit(::setrlimit(RLIMIT_FSIZE, &limit) == 0 && work() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
  std::filesystem::path folder_, path_;
};

TEST_F(Appear, what_was_there_stays_until_the_first_flush_and_goes_as_a_whole) {
  put_old();
  auto writer = TraceFileWriter::create(path_);
  ASSERT_TRUE(writer.ok());
  add_slice(**writer, add_thread_track(**writer), 1000, 10, "first");
  EXPECT_EQ(bytes_of(path_), "old");
  EXPECT_EQ((*writer)->stats().bytes, 0);
  ASSERT_TRUE((*writer)->flush());
  EXPECT_EQ((*writer)->stats().bytes, static_cast<std::int64_t>(std::filesystem::file_size(path_)));
  const std::string flushed = bytes_of(path_);
  EXPECT_THAT(rows_in(flushed), testing::Contains(testing::HasSubstr("first")));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_TRUE(bytes_of(path_).starts_with(flushed));
}

TEST_F(Appear, a_recording_that_is_given_up_before_leaves_all_as_it_was) {
  put_old();
  {
    auto writer = TraceFileWriter::create(path_);
    ASSERT_TRUE(writer.ok());
    (*writer)->abandon();
    EXPECT_EQ((*writer)->stats().bytes, 0);
  }
  EXPECT_EQ(bytes_of(path_), "old");
  std::filesystem::remove(path_);
  (*TraceFileWriter::create(path_))->abandon();
  EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(Appear, where_nothing_fits_nothing_is_left) {
  for (const bool has_old : {false, true}) {
    if (has_old) put_old();
    EXPECT_EQ(with_room_for(100,
                            [&] {
                              auto writer = TraceFileWriter::create(path_);
                              if (!writer.ok()) return false;
                              add_slice(**writer, add_thread_track(**writer), 1000, 10, "x");
                              const Status flushed = (*writer)->flush();
                              if (flushed || flushed.error().code != Errc::io) return false;
                              return !(*writer)->finish() && (*writer)->stats().bytes == 0;
                            }),
              0);
    EXPECT_EQ(names(), has_old ? std::vector<std::string>{"t.pb"} : std::vector<std::string>{});
  }
  EXPECT_EQ(bytes_of(path_), "old");
}

TEST_F(Appear, where_the_room_ends_later_the_file_ends_with_a_whole_packet) {
  constexpr rlim_t kRoom = 20'000;
  EXPECT_EQ(with_room_for(kRoom,
                          [&] {
                            auto writer = TraceFileWriter::create(path_, {.compress = false});
                            if (!writer.ok()) return false;
                            const auto track = add_thread_track(**writer);
                            for (int i = 0; i < 100'000; ++i) {
                              add_slice(**writer, track, 1000 + i * 10, 5, fmt::format("slice {}", i));
                              if (i % 50 == 49 && !(*writer)->flush()) return true;
                            }
                            return false;
                          }),
            0);
  const std::string bytes = bytes_of(path_);
  EXPECT_LE(bytes.size(), kRoom);
  const auto rows = rows_in(bytes);
  EXPECT_THAT(rows, testing::Contains(testing::HasSubstr("slice 49")));
  EXPECT_THAT(rows, testing::Not(testing::Contains(testing::HasSubstr("note")))) << "nothing is cut";
}

TEST_F(Appear, of_a_flush_that_does_not_fit_whole_nothing_stays) {
  const auto copy = folder_ / "flushed.pb";
  EXPECT_EQ(with_room_for(60'000,
                          [&] {
                            auto writer =
                                TraceFileWriter::create(path_, {.compress = false, .group_bytes = 1024});
                            if (!writer.ok()) return false;
                            const auto track = add_thread_track(**writer);
                            add_slice(**writer, track, 1000, 5, "first");
                            if (!(*writer)->flush()) return false;
                            const std::int64_t kept = (*writer)->stats().bytes;
                            std::filesystem::copy_file(path_, copy);
                            for (int i = 0; i < 100'000; ++i)
                              add_slice(**writer, track, 2000 + i * 10, 5, fmt::format("slice {}", i));
                            if ((*writer)->flush() || (*writer)->finish()) return false;
                            return (*writer)->stats().bytes == kept;
                          }),
            0);
  EXPECT_EQ(bytes_of(path_), bytes_of(copy));
}

TEST_F(Appear, one_file_has_one_recording_and_the_second_is_told) {
  auto first = TraceFileWriter::create(path_), at_the_same_time = TraceFileWriter::create(path_);
  ASSERT_TRUE(first.ok() && at_the_same_time.ok());
  ASSERT_TRUE((*first)->flush());
  const auto second = TraceFileWriter::create(path_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().where, path_.string());
  EXPECT_FALSE((*at_the_same_time)->flush()) << "who comes second does not take the name away";
  const std::string bytes = bytes_of(path_);
  ASSERT_TRUE((*first)->finish());
  EXPECT_TRUE(bytes_of(path_).starts_with(bytes));
  EXPECT_TRUE(TraceFileWriter::create(path_).ok()) << "when it is finished it may be replaced";
}

TEST_F(Appear, a_killed_recording_leaves_what_it_had_flushed) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = TraceFileWriter::create(path_);
    const auto track = add_thread_track(**writer);
    add_slice(**writer, track, 1000, 10, "kept");
    static_cast<void>((*writer)->flush());
    add_slice(**writer, track, 2000, 10, "gone");
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto rows = rows_in(bytes_of(path_));
  EXPECT_THAT(rows, testing::Contains(testing::HasSubstr("kept")));
  EXPECT_EQ(names(), std::vector<std::string>{"t.pb"});
}

// --- names that change

TEST(Renamed, a_process_and_a_thread_bear_their_latest_name_in_the_file) {
  const Rows rows = [](TraceSink& sink) {
    const auto process =
        sink.process({.pid = 7, .name = sink.intern("sh"), .cmdline = sink.intern("sh -c 'exec svc'")});
    sink.thread({.process = process, .tid = 7, .name = sink.intern("sh")});
    sink.process({.pid = 8, .name = sink.intern("first"), .cmdline = sink.intern("first --flag")});
    if (auto* writer = dynamic_cast<TraceFileWriter*>(&sink)) {
      EXPECT_TRUE(writer->flush());
    }
    sink.process(
        {.pid = 7, .name = sink.intern("svc"), .cmdline = sink.intern("svc --port 80"), .is_renamed = true});
    sink.thread({.process = process, .tid = 7, .name = sink.intern("svc"), .is_renamed = true});
    sink.process({.pid = 8, .name = sink.intern("second"), .cmdline = {}}); // said again is not renamed
  };
  const auto read = rows_in(write_trace([&](TraceFileWriter& writer) { rows(writer); }));
  EXPECT_THAT(read, testing::Contains("process 7 name=svc cmdline=svc --port 80"));
  EXPECT_THAT(read, testing::Contains("process 8 name=first cmdline=first --flag"));
  EXPECT_THAT(read,
              testing::Contains(testing::AllOf(testing::StartsWith("thread"), testing::HasSubstr("svc"))));
  EXPECT_EQ(read, rows_of(rows));
}

} // namespace
} // namespace prof
