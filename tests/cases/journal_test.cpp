#include "cases/journal.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace prof;

namespace {

class Folder {
public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("prof_journal_" + name + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

JournalEntry entry(const std::string& verb, std::vector<Artefact> in, std::vector<Artefact> out) {
  JournalEntry e;
  e.time_ns = 1'700'000'000'000'000'000, e.program = "profiler", e.verb = verb, e.version = "0.1.0";
  e.command_line = {"profiler", verb, "--output", "a b'\"\n\x1b"};
  e.inputs = std::move(in), e.outputs = std::move(out);
  e.facts = {{"n", "3"}};
  return e;
}

} // namespace

TEST(journal, gives_back_what_was_put_in) {
  const Folder folder("back");
  auto journal = *Journal::open(folder.path(), true);
  const auto id = journal.add(entry("diagnose", {{"t.pb", "aa", 7}}, {{"r.yaml", "bb", 9}}));
  ASSERT_TRUE(id.ok());
  const JournalEntry e = *journal.entry(*id);
  EXPECT_EQ(e.verb, "diagnose");
  EXPECT_EQ(e.command_line[3], "a b'\"\n\x1b");
  EXPECT_EQ(e.inputs[0].path, "t.pb");
  EXPECT_EQ(e.outputs[0].sha256, "bb");
  EXPECT_EQ(e.outputs[0].size_bytes, 9);
  EXPECT_EQ(e.facts.at("n"), "3");
}

TEST(journal, lineage_goes_by_content_and_not_by_name) {
  const Folder folder("lineage");
  auto journal = *Journal::open(folder.path(), true);
  const auto trace = *journal.add(entry("trace", {}, {{"t.pb", "aa", 1}}));
  const auto diagnose = *journal.add(entry("diagnose", {{"copy_of_t.pb", "aa", 1}}, {{"r.yaml", "bb", 1}}));
  EXPECT_EQ(journal.makers_of("aa")->at(0).id, trace);
  EXPECT_EQ(journal.users_of("aa")->at(0).id, diagnose);
  EXPECT_TRUE(journal.users_of("bb")->empty());
}

TEST(journal, lists_the_newest_first_and_by_verb) {
  const Folder folder("list");
  auto journal = *Journal::open(folder.path(), true);
  for (const char* verb : {"trace", "diagnose", "trace"})
    ASSERT_TRUE(journal.add(entry(verb, {}, {})).ok());
  const auto all = *journal.list(10);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_GT(all[0].id, all[2].id);
  EXPECT_EQ(journal.list(10, "trace")->size(), 2U);
  EXPECT_EQ(journal.list(1)->size(), 1U);
}

TEST(journal, errors_say_what_is_wrong) {
  const Folder folder("errors");
  EXPECT_EQ(Journal::open(folder.path(), false).error().code, Errc::missing);
  {
    auto journal = *Journal::open(folder.path(), true);
    EXPECT_EQ(journal.entry(99).error().code, Errc::not_found);
  }
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_FALSE(Journal::open(folder.path() / "file", true).ok());
  const Folder broken("broken");
  std::filesystem::create_directories(broken.path() / ".profiler");
  std::ofstream(broken.path() / ".profiler" / "journal.db")
      << "this is no database, but text that is long enough to look at";
  EXPECT_FALSE(Journal::open(broken.path(), true).ok());
}

TEST(journal, is_read_from_regular_files_alone_and_waits_for_no_pipe) {
  for (const char* name : {"journal.db", "journal.db-journal", "journal.db-wal", "journal.db-shm"})
    for (const bool is_pipe : {true, false}) {
      const Folder folder("pipe");
      ASSERT_TRUE(Journal::open(folder.path(), true).ok());
      const auto path = folder.path() / ".profiler" / name;
      std::filesystem::remove(path);
      if (is_pipe)
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
      else
        std::filesystem::create_directory_symlink("/dev", path);
      for (const bool may_create : {false, true}) {
        const auto journal = Journal::open(folder.path(), may_create);
        ASSERT_FALSE(journal.ok()) << name;
        EXPECT_EQ(journal.error().code, Errc::io);
        EXPECT_EQ(journal.error().where, path.string());
        EXPECT_EQ(journal.error().what, "no regular file: the journal is not read from it; move it away");
      }
    }
}

TEST(journal, takes_entries_of_several_processes_at_once) {
  const Folder folder("many");
  constexpr int kProcesses = 4, kEach = 25;
  {
    auto made = Journal::open(folder.path(), true);
    ASSERT_TRUE(made.ok());
  }
  for (int p = 0; p < kProcesses; ++p) {
    if (fork() != 0) continue;
    auto journal = Journal::open(folder.path(), true);
    bool is_good = journal.ok();
    for (int i = 0; is_good && i < kEach; ++i)
      is_good = journal->add(entry("trace", {}, {{"f", "aa", 1}})).ok();
    _exit(is_good ? 0 : 1);
  }
  for (int p = 0; p < kProcesses; ++p) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(Journal::open(folder.path(), false)->list(1000)->size(),
            static_cast<std::size_t>(kProcesses * kEach));
}

TEST(journal, is_made_once_when_several_processes_need_it_first) {
  for (int round = 0; round < 10; ++round) {
    const Folder folder("first" + std::to_string(round));
    constexpr int kProcesses = 4;
    for (int p = 0; p < kProcesses; ++p) {
      if (fork() != 0) continue;
      auto journal = Journal::open(folder.path(), true);
      _exit(journal.ok() && journal->add(entry("trace", {}, {})).ok() ? 0 : 1);
    }
    for (int p = 0; p < kProcesses; ++p) {
      int status = 0;
      wait(&status);
      EXPECT_EQ(WEXITSTATUS(status), 0) << "round " << round;
    }
    EXPECT_EQ(Journal::open(folder.path(), false)->list(100)->size(), static_cast<std::size_t>(kProcesses));
  }
}

TEST(journal, keeps_hostile_texts_as_they_are) {
  const Folder folder("hostile");
  auto journal = *Journal::open(folder.path(), true);
  const std::string evil = "'); DROP TABLE entry; --\"\n\x1b[31m${x}\xe6\x97\xb6";
  JournalEntry e = entry("diagnose", {{evil, "aa", 1}}, {{evil, evil, 2}});
  e.command_line = {evil, "", "\xff"};
  e.facts = {{evil, evil}};
  const JournalEntry back = *journal.entry(*journal.add(e));
  EXPECT_EQ(back.command_line,
            (std::vector<std::string>{evil, "", "\xef\xbf\xbd"})); // no text holds a bare 0xff
  EXPECT_EQ(back.inputs.at(0).path, evil);
  EXPECT_EQ(back.outputs.at(0).sha256, evil);
  EXPECT_EQ(back.facts.at(evil), evil);
  EXPECT_EQ(journal.makers_of(evil)->size(), 1U);
  EXPECT_TRUE(journal.list(10, "' or 1=1 --")->empty());
  EXPECT_EQ(journal.list(10)->size(), 1U);
}

TEST(journal, of_a_newer_version_is_left_alone) {
  const Folder folder("newer");
  ASSERT_TRUE(Journal::open(folder.path(), true).ok());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder.path() / ".profiler/journal.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "PRAGMA user_version = 2", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  EXPECT_EQ(Journal::open(folder.path(), true).error().code, Errc::unsupported);
}

// The lock outlives the test's patience: whatever waits more than once for it never ends here.
TEST(journal, that_is_locked_is_given_up_and_says_so) {
  const Folder folder("locked");
  ASSERT_TRUE(Journal::open(folder.path(), true).ok());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((folder.path() / ".profiler/journal.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  auto journal = Journal::open(folder.path(), true);
  ASSERT_TRUE(journal.ok()) << "a whole journal can be read meanwhile";
  const auto added = journal->add(entry("trace", {}, {}));
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().what, "it is locked: another process has held it for over 2 s");
  sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
  EXPECT_TRUE(journal->add(entry("trace", {}, {})).ok());
  // One that is not made yet.
  const Folder fresh("locked_fresh");
  std::filesystem::create_directories(fresh.path() / ".profiler");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((fresh.path() / ".profiler/journal.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = Journal::open(fresh.path(), true);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().what, added.error().what);
  sqlite3_close(other);
  sqlite3_close(db);
}

TEST(journal, that_is_damaged_gives_errors_and_no_wrong_entries) {
  const Folder folder("damaged");
  {
    auto journal = *Journal::open(folder.path(), true);
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(journal.add(entry("trace", {{"in", "aa", 1}}, {{"out", "bb", 1}})).ok());
  }
  const auto path = folder.path() / ".profiler/journal.db";
  const auto size = std::filesystem::file_size(path);
  for (const std::uintmax_t keep :
       {size / 2, std::uintmax_t{4096}, std::uintmax_t{100}, std::uintmax_t{17}}) {
    std::filesystem::resize_file(path, keep);
    auto journal = Journal::open(folder.path(), false);
    if (!journal) continue; // an error that the caller shows
    const auto list = journal->list(1000);
    if (!list) continue;
    for (const JournalEntry& e : *list)
      EXPECT_EQ(e.verb, "trace");
    EXPECT_LT(list->size(), 200U) << "of a file cut to " << keep << " bytes";
  }
}
