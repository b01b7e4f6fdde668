// The case library: round trips through the program, hostile cards, writers side by side, and the cases that
// a diagnosis is shown.
#include "../plan/run_script.hpp"
#include "cases/similar_cases.hpp"

#include <gmock/gmock.h>
#include <thread>

namespace prof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct CardText {
  std::string id, problem = "slow", state = "draft", causes = "", metrics = "", body = "words";
};
std::string card(const CardText& c) {
  return "---\nschema: cann-profiler/case/1\nid: " + c.id + "\nproblem: " + c.problem +
         "\ntarget: svc\nstate: " + c.state + "\nsolution: [fusion]\ncauses: [" + c.causes + "]\nmetrics: [" +
         c.metrics + "]\n---\n\n" + c.body + "\n";
}
std::vector<std::string> ids_of(const CaseLibrary& library) {
  std::vector<std::string> ids;
  for (const StoredCase& c : library.cases())
    if (!c.path.empty()) ids.push_back(c.id);
  return ids;
}

class Library : public testing::Test {
protected:
  CaseLibrary library() { return *CaseLibrary::open(folder_.path() / "cases"); }
  void add(const CardText& c) { ASSERT_TRUE(library().add(card(c), "x", false).ok()) << c.id; }
  Ran profiler(const std::string& arguments) {
    return run_in(folder_.path(), PROF_BINARY_DIR "/bin/profiler " + arguments + " --lang en --no_journal");
  }
  Folder folder_;
};

TEST_F(Library, gives_back_a_card_byte_for_byte) {
  const std::string text =
      card({.id = "one", .body = "Text with `code`, | bars |, 中文 and \"quotes\"\n\n---\nnot the end\n"});
  ASSERT_TRUE(library().add(text, "x", false).ok());
  ASSERT_THAT(ids_of(library()), ElementsAre("one"));
  EXPECT_EQ(library().cases().back().content, text);
  EXPECT_EQ(folder_.read("cases/one.md"), text);
}

TEST_F(Library, reads_the_measured_change_of_a_card) {
  const auto stored = parse_case(
      card({.id = "a",
            .causes = "{id: queueing}, {id: small_ops}",
            .metrics = "{id: p99_latency, unit: ns, verdict: better, change: -0.25}, {id: x, change: null}"}),
      "x");
  ASSERT_TRUE(stored.ok());
  EXPECT_THAT(stored->causes, ElementsAre("queueing", "small_ops"));
  ASSERT_EQ(stored->figures.size(), 2U);
  EXPECT_EQ(stored->figures[0].metric, "p99_latency");
  EXPECT_DOUBLE_EQ(*stored->figures[0].change, -0.25);
  EXPECT_FALSE(stored->figures[1].change.has_value());
}

TEST_F(Library, travels_by_export_and_import) {
  const std::string at = "--workspace . ";
  folder_.write("a.md", card({.id = "alpha", .body = "transpose bandwidth"}));
  folder_.write("b.md", card({.id = "beta", .body = "队列等待"}));
  folder_.write("broken.md", "---\nid: [\n---\n");
  EXPECT_EQ(profiler("case add a.md b.md " + at).status, 0);
  EXPECT_EQ(profiler("case export --output out " + at).status, 0);
  EXPECT_EQ(folder_.read("out/alpha.md"), folder_.read("a.md"));
  std::filesystem::copy_file(folder_.path() / "broken.md", folder_.path() / "out/broken.md");
  const Ran import = profiler("case import out --library other");
  EXPECT_EQ(import.status, 0);
  EXPECT_THAT(import.output, HasSubstr("broken.md"));
  EXPECT_EQ(folder_.read("other/alpha.md"), folder_.read("a.md"));
  EXPECT_EQ(folder_.read("other/beta.md"), folder_.read("b.md"));
  EXPECT_THAT(profiler("case list --library other").output, AllOf(HasSubstr("alpha"), HasSubstr("beta")));
  EXPECT_THAT(profiler("case search 队列 --library other").output,
              AllOf(HasSubstr("beta"), Not(HasSubstr("alpha"))));
  EXPECT_EQ(profiler("case search zebra --library other --strict").status, 1);
  EXPECT_EQ(profiler("case add broken.md " + at).status, 3);
  EXPECT_EQ(profiler("case add none.md " + at).status, 3);
  EXPECT_EQ(profiler("case forget").status, 2);
}

TEST_F(Library, another_card_of_the_same_name_needs_force) {
  folder_.write("a.md", card({.id = "same", .body = "first"}));
  folder_.write("b.md", card({.id = "same", .body = "second"}));
  EXPECT_EQ(profiler("case add a.md").status, 0);
  EXPECT_EQ(profiler("case add b.md").status, 2);
  EXPECT_THAT(folder_.read(".profiler/cases/same.md"), HasSubstr("first"));
  EXPECT_EQ(profiler("case add b.md --force").status, 0);
  EXPECT_THAT(folder_.read(".profiler/cases/same.md"), HasSubstr("second"));
}

TEST_F(Library, shows_hostile_cards_without_obeying_them) {
  folder_.write("evil.md", card({.id = "evil",
                                 .problem = "\"\\e[2J\\e]0;owned\\a\"",
                                 .body = "\x1b[31m <script>alert(1)</script>"}));
  ASSERT_EQ(profiler("case add evil.md").status, 0);
  for (const char* arguments : {"case list", "case search script"}) {
    const Ran ran = profiler(arguments);
    EXPECT_THAT(ran.output, HasSubstr("evil"));
    EXPECT_EQ(ran.output.find('\x1b'), std::string::npos) << arguments;
    EXPECT_EQ(ran.output.find('\a'), std::string::npos) << arguments;
  }
}

TEST_F(Library, takes_no_card_that_would_leave_its_folder_or_nest_without_end) {
  for (const std::string& id : {std::string("../up"), std::string("/etc/x"), std::string("a/b"),
                                std::string("\"\""), std::string("\"A\"")})
    EXPECT_FALSE(library().add(card({.id = id}), "x", true).ok()) << id;
  const std::string deep(100'000, '[');
  EXPECT_FALSE(parse_case("---\nid: " + deep + "\n---\n", "x").ok());
  EXPECT_FALSE(parse_case("---\n# " + std::string(200'000, ']') + "\nid: " + deep + "\n---\n", "x").ok());
  EXPECT_FALSE(parse_case("---\nid: [\"]\", " + deep + "\n---\n", "x").ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "up.md"));
}

TEST_F(Library, names_what_it_could_not_read_and_reads_the_rest) {
  add({.id = "good"});
  folder_.write("cases/notes.md", "# just notes\n");
  folder_.write("cases/image.png", "\x89PNG");
  std::filesystem::create_directory(folder_.path() / "cases/folder.md");
  folder_.write("cases/big.md", std::string((1 << 20) + 1, 'x'));
  EXPECT_THAT(ids_of(library()), ElementsAre("good"));
  EXPECT_EQ(library().unreadable().size(), 3U);
}

TEST_F(Library, loses_no_card_to_writers_side_by_side) {
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w)
    writers.emplace_back([&, w] {
      for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(library()
                        .add(card({.id = "card-" + std::to_string(w) + "-" + std::to_string(i)}), "x", false)
                        .ok());
    });
  for (std::thread& writer : writers)
    writer.join();
  EXPECT_EQ(ids_of(library()).size(), 40U);
  EXPECT_THAT(library().unreadable(), IsEmpty());
}

TEST_F(Library, two_programs_add_the_same_card_at_once_and_it_is_whole) {
  const std::string text = card({.id = "same", .body = std::string(200'000, 'x')});
  folder_.write("same.md", text);
  const std::string add = PROF_BINARY_DIR "/bin/profiler case add same.md --lang en";
  EXPECT_EQ(run_in(folder_.path(), add + " & a=$!; " + add + " & b=$!; wait $a && wait $b").status, 0);
  EXPECT_EQ(folder_.read(".profiler/cases/same.md"), text);
}

Diagnosis found(std::initializer_list<const char*> causes) {
  Diagnosis d;
  d.target = "svc";
  d.problem = "high_latency";
  for (const char* id : causes) {
    Cause cause;
    cause.id = id;
    cause.title = "Title of " + std::string(id);
    d.causes.push_back(std::move(cause));
  }
  return d;
}

TEST_F(Library, shows_each_cause_the_cases_that_name_it_validated_ones_first) {
  add({.id = "guess", .problem = "it was slow", .causes = "{id: queueing}"});
  add({.id = "proven",
       .problem = "p99 too high",
       .state = "validated",
       .causes = "{id: queueing}",
       .metrics = "{id: p99_latency, change: -0.2}, {id: throughput, change: 0.125}"});
  add({.id = "tried", .state = "measured", .causes = "{id: queueing}, {id: small_ops}"});
  add({.id = "other", .state = "validated", .causes = "{id: io_wait}", .body = "queueing queueing queueing"});
  Diagnosis d = found({"queueing", "small_ops", "page_faults"});
  add_similar_cases(d, library(), Lang::en);
  const auto ids = [&](std::size_t cause) {
    std::vector<std::string> out;
    for (const SimilarCase& c : d.causes[cause].similar_cases)
      out.push_back(c.id);
    return out;
  };
  EXPECT_THAT(ids(0), ElementsAre("proven", "tried", "guess"));
  EXPECT_THAT(ids(1), ElementsAre("tried"));
  EXPECT_THAT(ids(2), IsEmpty());
  EXPECT_EQ(d.causes[0].similar_cases[0].title, "p99 too high");
  EXPECT_EQ(d.causes[0].similar_cases[0].outcome, "validated: p99_latency -20.0 %, throughput +12.5 %");
  EXPECT_EQ(d.causes[0].similar_cases[2].outcome, "a claim, not measured");
  Diagnosis zh = found({"queueing"});
  add_similar_cases(zh, library(), Lang::zh, 1);
  ASSERT_EQ(zh.causes[0].similar_cases.size(), 1U);
  EXPECT_EQ(zh.causes[0].similar_cases[0].outcome, "已验证: p99_latency -20.0 %, throughput +12.5 %");
}

TEST_F(Library, of_an_unknown_state_says_so) {
  add({.id = "odd", .state = "\"\\e[31m\"", .causes = "{id: queueing}"});
  Diagnosis d = found({"queueing"});
  add_similar_cases(d, library(), Lang::en);
  EXPECT_EQ(d.causes[0].similar_cases.at(0).outcome, "outcome not known");
}

TEST_F(Library, that_is_empty_shows_nothing) {
  Diagnosis d = found({"queueing"});
  add_similar_cases(d, *CaseLibrary::open(folder_.path() / "none"), Lang::en);
  EXPECT_THAT(d.causes[0].similar_cases, IsEmpty());
}

} // namespace
} // namespace prof
