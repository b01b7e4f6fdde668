// An output never replaces what is read, nor a file of a folder that is read.
#include "base/file.hpp"
#include "common/cli.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <gtest/gtest.h>
#include <unistd.h>

namespace prof {
namespace {

namespace fs = std::filesystem;

class AnOutput : public testing::Test {
protected:
  AnOutput() {
    std::string pattern = (fs::temp_directory_path() / "prof_in_input_test.XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    for (const char* folder : {"ranks/deep", "ranks2", "elsewhere"})
      fs::create_directories(root_ / folder);
    for (const char* file : {"ranks/rank0.json", "ranks/deep/rank1.json", "ranks2/other.json",
                             "elsewhere/rank2.json", "elsewhere/free.json", "one.json", "ranks/there.md"})
      EXPECT_TRUE(write_file(root_ / file, "recorded").ok());
    fs::create_symlink(root_ / "elsewhere/rank2.json", root_ / "ranks/rank2.json");
    fs::create_symlink(root_ / "ranks/rank0.json", root_ / "elsewhere/link.json");
    fs::create_directory_symlink(root_ / "ranks", root_ / "link");
  }
  ~AnOutput() override { fs::remove_all(root_); }
  fs::path root_;
};

// Exit status of a command that takes `option` and --output, and does nothing.
Exit exit_of(const std::string& option, const fs::path& input, const fs::path& output,
             bool takes_command = false) {
  static std::string declared;
  declared = option;
  const Verb verb{.name = "verb",
                  .summary = "cli.usage",
                  .example = "",
                  .declare = [](CLI::App& app, Context&) -> std::function<Exit()> {
                    const auto values = std::make_shared<std::array<std::string, 2>>();
                    app.add_option(declared, (*values)[0]);
                    app.add_option("--output", (*values)[1]);
                    return [values] { return Exit::ok; };
                  },
                  .takes_command = takes_command};
  const Verb* const verbs[] = {&verb};
  std::vector<std::string> words{"profiler", "verb",          declared,       input.string(),
                                 "--output", output.string(), "--no_journal", "--lang=en"};
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  return static_cast<Exit>(run_program("profiler", verbs, static_cast<int>(argv.size()), argv.data()));
}

TEST_F(AnOutput, that_would_be_part_of_a_folder_that_is_read_is_refused_by_whatever_name) {
  struct Row {
    const char *input, *output;
    bool is_refused;
  };
  for (const auto& [input, output, is_refused] : {
           Row{"ranks", "ranks/rank0.json", true},
           Row{"ranks/", "ranks/deep/rank1.json", true},
           Row{"ranks", "ranks", true}, // tables are written into a folder
           Row{"ranks", "ranks/", true},
           Row{"ranks", "ranks/deep", true},
           Row{"ranks", "ranks2/../ranks/rank0.json", true},
           Row{"ranks2/../ranks", "ranks/rank0.json", true},
           Row{"link", "ranks/rank0.json", true},
           Row{"ranks", "link/rank0.json", true},
           Row{"ranks", "link", true},
           Row{"ranks", "elsewhere/link.json", true}, // writing follows the link
           Row{"ranks", "ranks/rank2.json", true},
           Row{"ranks", "elsewhere/rank2.json", true}, // what a link in the folder leads to
           Row{"one.json", "one.json", true},
           Row{"ranks", "ranks/new.json", true}, // the next reading would take it for a rank
           Row{"ranks", "ranks/new.csv", true},
           Row{"ranks", "ranks/report.yaml", false}, // no reader takes it for a part of the trace
           Row{"ranks", "ranks/page.html", false},
           Row{"ranks", "ranks/there.md", false},    // whether it is there or not
           Row{"ranks", "ranks2/other.json", false}, // a name that begins alike
           Row{"ranks", "elsewhere/free.json", false},
           Row{"ranks/deep", "ranks/rank0.json", false},
           Row{"nowhere", "ranks/rank0.json", false},
       })
    EXPECT_EQ(exit_of("--trace", root_ / input, root_ / output), is_refused ? Exit::usage : Exit::ok)
        << input << " -> " << output;
}

TEST_F(AnOutput, of_a_plain_name_lies_in_the_folder_that_the_command_runs_in) {
  const fs::path before = fs::current_path();
  fs::current_path(root_ / "ranks");
  EXPECT_EQ(exit_of("--trace", ".", "new.json"), Exit::usage);
  EXPECT_EQ(exit_of("--trace", ".", "rank0.json"), Exit::usage);
  EXPECT_EQ(exit_of("--trace", ".", "report.yaml"), Exit::ok);
  EXPECT_EQ(exit_of("--trace", ".", "../new.json"), Exit::ok);
  fs::current_path(before);
}

TEST_F(AnOutput, is_compared_with_every_option_that_reads_recordings_and_with_lists) {
  const fs::path output = root_ / "ranks/rank0.json";
  for (const char* option : {"--trace", "--before", "--after", "--baseline", "--target", "--rules"}) {
    EXPECT_EQ(exit_of(option, root_ / "ranks", output), Exit::usage) << option;
    EXPECT_EQ(exit_of(option, (root_ / "ranks2").string() + "," + (root_ / "ranks").string(), output),
              Exit::usage)
        << option;
  }
  EXPECT_EQ(exit_of("--library", root_ / "ranks", output), Exit::ok) << "a folder that is written into";
  EXPECT_EQ(exit_of("--metrics", root_ / "ranks", output), Exit::ok) << "a word, not a folder";
  EXPECT_EQ(exit_of("--target", root_ / "ranks", output, true), Exit::ok) << "of a recording: a process";
}

TEST_F(AnOutput, that_is_refused_is_named_with_the_folder) {
  Context context;
  const auto said = check_not_input(root_ / "ranks/rank0.json", "--trace", root_ / "ranks", context);
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().what, "--output " + (root_ / "ranks/rank0.json").string() +
                                   " would be part of the folder --trace " + (root_ / "ranks").string() +
                                   ", which is read as one trace; name a file elsewhere");
}

} // namespace
} // namespace prof
