// The emitter: what a YAML 1.1 or 1.2 reader gets back must be what went in, type and all.
#include "base/yaml_writer.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace prof {
namespace {

TEST(YamlWriter, words_and_numbers_of_yaml_1_1_stay_strings) {
  for (const char* text :
       {"yes", "NO",   "on",  "Off",      "y",          "N",      "true", "null",  "~",  "1.10",
        "007", "0x1F", "1e3", "12:30:45", "2026-11-30", ".inf",   ".nan", "1_000", "+1", ".5",
        "1.",  "0b11", "-",   "",         " lead",      "trail ", "a: b", "#c",    "*x", "&x",
        "!x",  "%x",   "@x",  "[x",       "{x",         "|",      ">",    "NaN",   "inf"})
    EXPECT_EQ(to_yaml(Doc(text)), "\"" + std::string(text) + "\"\n") << text;
}

TEST(YamlWriter, plain_names_have_no_quotes) {
  for (const char* text : {"queue_wait", "a/b.c-d", "Conv2D", "trace_full.pb"})
    EXPECT_EQ(to_yaml(Doc(text)), std::string(text) + "\n");
}

TEST(YamlWriter, doubles_are_shortest_and_always_have_a_dot) {
  EXPECT_EQ(to_yaml(Doc(0.1)), "0.1\n");
  EXPECT_EQ(to_yaml(Doc(3.0)), "3.0\n");
  EXPECT_EQ(to_yaml(Doc(1e-9)), "1.0e-09\n");
  EXPECT_EQ(to_yaml(Doc(-2.5e300)), "-2.5e+300\n");
  EXPECT_EQ(to_yaml(Doc(std::numeric_limits<double>::infinity())), ".inf\n");
  EXPECT_EQ(to_yaml(Doc(-std::numeric_limits<double>::infinity())), "-.inf\n");
  EXPECT_EQ(to_yaml(Doc(std::nan(""))), ".nan\n");
  EXPECT_EQ(to_yaml(Doc(std::int64_t{-9223372036854775807LL})), "-9223372036854775807\n");
}

TEST(YamlWriter, hostile_bytes_are_escaped_or_replaced) {
  EXPECT_EQ(to_yaml(Doc("\xff\xfe bad")), "\"\\ufffd\\ufffd bad\"\n");
  EXPECT_EQ(to_yaml(Doc("\x1b[31mred\x1b[0m")), "\"\\u001b[31mred\\u001b[0m\"\n");
  EXPECT_EQ(to_yaml(Doc("\xC2\x85nel \xE2\x80\xA8ls \xEF\xBB\xBF"
                        "bom")),
            "\"\\u0085nel \\u2028ls \\ufeffbom\"\n");
  EXPECT_EQ(to_yaml(Doc("\xED\xA0\x80")), "\"\\ufffd\\ufffd\\ufffd\"\n"); // a surrogate is no character
  EXPECT_EQ(to_yaml(Doc("\xC0\x80")), "\"\\ufffd\\ufffd\"\n");            // overlong
  EXPECT_EQ(to_yaml(Doc("cut \xE4\xB8")), "\"cut \\ufffd\\ufffd\"\n");
  EXPECT_EQ(to_yaml(Doc("诗海报 ✅")), "\"诗海报 ✅\"\n");
}

TEST(YamlWriter, maps_and_lists_nest_in_block_style) {
  Doc doc;
  doc.set("name", "x").set("empty_map", Doc::map()).set("empty_list", Doc::list()).set("none", Doc());
  doc.set("list", Doc::list()
                      .add(1)
                      .add(Doc::map().set("a", true).set("b", Doc::list().add(2.5)))
                      .add(Doc::list().add("y")));
  EXPECT_EQ(to_yaml(doc), "name: x\n"
                          "empty_map: {}\n"
                          "empty_list: []\n"
                          "none: null\n"
                          "list:\n"
                          "  - 1\n"
                          "  - a: true\n"
                          "    b:\n"
                          "      - 2.5\n"
                          "  - - \"y\"\n");
}

TEST(YamlWriter, a_key_too_long_for_yaml_gets_a_question_mark) {
  const std::string key(2000, 'k');
  const Doc doc = Doc::map().set("m", Doc::map().set(key, 1).set("b", 2));
  EXPECT_EQ(to_yaml(doc), "m:\n  ? \"" + key + "\"\n  : 1\n  b: 2\n");
}

TEST(YamlWriter, keys_are_quoted_like_strings_and_keep_their_order) {
  Doc doc;
  doc.set("no", 1).set("b c", 2).set("a", 3).set("no", 4);
  EXPECT_EQ(to_yaml(doc), "\"no\": 4\n\"b c\": 2\na: 3\n");
}

TEST(YamlWriter, several_clean_lines_become_a_literal_block) {
  Doc doc;
  doc.set("sql", "select 1\n\n  from x").set("after", 1);
  EXPECT_EQ(to_yaml(doc), "sql: |-\n  select 1\n\n    from x\nafter: 1\n");
  EXPECT_EQ(to_yaml(Doc("ends\n")), "\"ends\\n\"\n");
  EXPECT_EQ(to_yaml(Doc("blank \nend")), "\"blank \\nend\"\n");
  EXPECT_EQ(to_yaml(Doc("tab\n\tin")), "\"tab\\n\\tin\"\n");
  EXPECT_EQ(to_yaml(Doc("\nlead")), "\"\\nlead\"\n");
}

TEST(YamlWriter, json_of_the_same_tree) {
  Doc doc;
  doc.set("n", 1)
      .set("x", 0.5)
      .set("nan", std::nan(""))
      .set("t", "a\"b\\\n")
      .set("l", Doc::list().add(true).add(Doc()));
  doc.set("e", Doc::list());
  EXPECT_EQ(to_json(doc), "{\n  \"n\": 1,\n  \"x\": 0.5,\n  \"nan\": null,\n  \"t\": \"a\\\"b\\\\\\n\",\n"
                          "  \"l\": [\n    true,\n    null\n  ],\n  \"e\": []\n}\n");
}

TEST(YamlWriter, find_reads_back_what_set_wrote) {
  Doc doc;
  doc.set("a", 7);
  ASSERT_NE(doc.find("a"), nullptr);
  EXPECT_EQ(std::get<std::int64_t>(doc.find("a")->value()), 7);
  EXPECT_EQ(doc.find("b"), nullptr);
  EXPECT_EQ(Doc(3).find("a"), nullptr);
}

TEST(YamlWriter, valid_utf8_replaces_only_what_is_broken) {
  EXPECT_EQ(valid_utf8("ok 中\xff!"), "ok 中\xEF\xBF\xBD!");
}

// PyYAML (YAML 1.1) reads every nasty string back as the same string, and JSON agrees.
TEST(YamlWriter, pyyaml_and_json_read_back_the_same_tree) {
  Doc list = Doc::list();
  for (const char* text :
       {"yes", "1.10", "12:30", "a: b", "multi\nline\n  sql", "say \"hi\"", "'q'", "=cmd()", "\"><script>",
        "中文", "- x", "? x", "a #b", "\\n", "x\ty", "|-\nfoo", "a\n# b", "a\n- b: c\n...\n---\nd"})
    list.add(Doc::map().set(text, text));
  list.add(1).add(0.1).add(1e-9).add(true).add(Doc());
  const auto dir = std::filesystem::temp_directory_path() / ("yaml_writer_test." + std::to_string(getpid()));
  std::filesystem::create_directory(dir);
  std::ofstream(dir / "t.yaml") << to_yaml(list);
  std::ofstream(dir / "t.json") << to_json(list);
  const std::string command =
      "/usr/bin/python3 -c \"import yaml,json,sys;d=sys.argv[1];"
      "a=yaml.safe_load(open(d+'/t.yaml'));b=json.load(open(d+'/t.json'));sys.exit(a!=b)\" " +
      dir.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(dir);
}

} // namespace
} // namespace prof
