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

// What PyYAML (YAML 1.1) and Python's json make of the two spellings of one tree, compared with each other
// there; and with `expected`, a Python expression, when there is one.
void expect_read_back(const Doc& doc, const std::string& expected = "a") {
  const auto dir = std::filesystem::temp_directory_path() / ("yaml_writer_test." + std::to_string(getpid()));
  std::filesystem::create_directory(dir);
  std::ofstream(dir / "t.yaml") << to_yaml(doc);
  std::ofstream(dir / "t.json") << to_json(doc);
  std::ofstream(dir / "t.py")
      << "import yaml, json, sys\nd = sys.argv[1]\n"
         "a = yaml.load(open(d + '/t.yaml'), getattr(yaml, 'CSafeLoader', yaml.SafeLoader))\n"
         "b = json.load(open(d + '/t.json'))\nc = " +
             expected +
             "\nfor x, y, z in zip(a, b, c):\n"
             "    if not (x == y == z and type(x) is type(y) is type(z)): sys.exit(repr((x, y, z)))\n"
             "sys.exit(len(a) != len(b) or len(a) != len(c))\n";
  const std::string command = "/usr/bin/python3 " + (dir / "t.py").string() + " " + dir.string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(dir);
}

// PyYAML (YAML 1.1) reads every nasty string back as the same string, and JSON agrees.
TEST(YamlWriter, pyyaml_and_json_read_back_the_same_tree) {
  Doc list = Doc::list();
  for (const char* text :
       {"yes", "1.10", "12:30", "a: b", "multi\nline\n  sql", "say \"hi\"", "'q'", "=cmd()", "\"><script>",
        "中文", "- x", "? x", "a #b", "\\n", "x\ty", "|-\nfoo", "a\n# b", "a\n- b: c\n...\n---\nd"})
    list.add(Doc::map().set(text, text));
  list.add(1).add(0.1).add(1e-9).add(true).add(Doc());
  expect_read_back(list);
}

std::string utf8(std::uint32_t c) {
  const auto byte = [](std::uint32_t b) { return static_cast<char>(b); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0U | c >> 6U), byte(0x80U | (c & 0x3FU))};
  if (c < 0x10000)
    return {byte(0xE0U | c >> 12U), byte(0x80U | (c >> 6U & 0x3FU)), byte(0x80U | (c & 0x3FU))};
  return {byte(0xF0U | c >> 18U), byte(0x80U | (c >> 12U & 0x3FU)), byte(0x80U | (c >> 6U & 0x3FU)),
          byte(0x80U | (c & 0x3FU))};
}

// One character that a reader takes for a break or for nothing spoils the whole file: U+FFFE and U+FFFF did.
TEST(YamlWriter, every_character_is_read_back) {
  Doc list = Doc::list();
  for (std::uint32_t c = 0; c < 0x10000; c += c < 0x3100 || c >= 0xF800 ? 1 : 97)
    if (c < 0xD800 || c > 0xDFFF) list.add("a" + utf8(c) + "b");
  for (const std::uint32_t c : {0x10000U, 0x1F469U, 0x20000U, 0xE0080U, 0xFFFFDU, 0x10FFFFU})
    list.add("a" + utf8(c) + "b");
  expect_read_back(list,
                   "[f'a{chr(i)}b' for i in [*range(0x3100), *range(0x3100, 0xF800, 97), "
                   "*range(0xF800 + (0x3100 - 0xF800) % 97, 0x10000), 0x10000, 0x1F469, 0x20000, 0xE0080, "
                   "0xFFFFD, 0x10FFFF] if not 0xD800 <= i <= 0xDFFF]");
}

TEST(YamlWriter, numbers_are_read_back_bit_for_bit_and_with_their_type) {
  Doc list = Doc::list();
  list.add(0)
      .add(0.0)
      .add(-0.0)
      .add(5e-324)
      .add(2.2250738585072014e-308)
      .add(1.7976931348623157e308)
      .add(0.1 + 0.2);
  list.add(1e21).add(123456789.123456789).add(std::numeric_limits<std::int64_t>::min());
  list.add(std::numeric_limits<std::int64_t>::max()).add(std::int64_t{9007199254740993}).add(1e16);
  expect_read_back(list,
                   "[0, 0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1 + 0.2, 1e21, "
                   "123456789.123456789, -2**63, 2**63 - 1, 9007199254740993, 1e16]");
}

TEST(YamlWriter, texts_that_look_like_syntax_are_read_back_as_keys_and_values) {
  Doc list = Doc::list();
  for (const std::string text : {"<<",
                                 "=",
                                 "? ",
                                 ": ",
                                 "- - a",
                                 "!!int 3",
                                 "&a b",
                                 "*a",
                                 "%TAG",
                                 "---",
                                 "...",
                                 "0o17",
                                 "0x",
                                 "1e",
                                 "1:2",
                                 "12:30:45.5",
                                 "2001-12-14t21:59:43.10-05:00",
                                 "+.inf",
                                 ".NaN",
                                 "TRUE",
                                 "Null",
                                 "~",
                                 "a:",
                                 "a: ",
                                 ":a",
                                 "a#",
                                 " #",
                                 "#",
                                 "\"",
                                 "'",
                                 "''",
                                 "{}",
                                 "[]",
                                 "{a: 1}",
                                 "a,b",
                                 "\\x41",
                                 "a\\",
                                 "y",
                                 "Y",
                                 "oN",
                                 "nULL",
                                 "yes.no",
                                 "a\n",
                                 "\n",
                                 "\na",
                                 "a\n\nb",
                                 "a\n b",
                                 "a\n\tb",
                                 "a\r\nb",
                                 "a\rb",
                                 " a\nb",
                                 "a\n   ",
                                 "a\nb: c\n- d",
                                 "|\n>",
                                 "\t",
                                 "a\tb",
                                 " ",
                                 "  x  "})
    list.add(Doc::map().set(text, text)).add(text);
  expect_read_back(list);
}

TEST(YamlWriter, deep_and_wide_trees_are_read_back) {
  Doc deep = Doc(1);
  for (int i = 0; i < 60; ++i)
    deep = i % 2 == 0 ? Doc::list().add(std::move(deep))
                      : Doc::map().set("k" + std::to_string(i), std::move(deep));
  Doc wide = Doc::map();
  for (int i = 0; i < 300; ++i)
    wide.set("key " + std::to_string(i), Doc::list().add(Doc::list()).add(Doc::map()).add(Doc()));
  expect_read_back(Doc::list().add(std::move(deep)).add(std::move(wide)));
}

} // namespace
} // namespace prof
