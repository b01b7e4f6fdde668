// Hostile names on a terminal, in Markdown and in files of others: each character that acts instead of
// showing becomes its code.
#include "base/safe_text.hpp"

#include "base/unicode.hpp"
#include "base/yaml_writer.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

struct Shown {
  const char* what;
  std::string_view text, line;
};

TEST(SafeText, what_acts_on_a_terminal_becomes_its_code) {
  for (const auto& [what, text, line] : {
           Shown{"plain", "denoise step 3/8", "denoise step 3/8"},
           Shown{"colour", "\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
           Shown{"window title", "\x1b]0;owned\x07", "\\x1b]0;owned\\x07"},
           Shown{"carriage return", "safe\rrm -rf", "safe\\x0drm -rf"},
           Shown{"backspace", "a\b\bb", "a\\x08\\x08b"},
           Shown{"line feed", "a\nb", "a\\x0ab"},
           Shown{"tab", "a\tb", "a\\x09b"},
           Shown{"delete", "a\x7f", "a\\x7f"},
           Shown{"C1 control sequence introducer",
                 "\xC2\x9B"
                 "31m",
                 "\\x9b31m"},
           Shown{"next line", "a\xC2\x85", "a\\x85"},
           Shown{"no-break space shows",
                 "a\xC2\xA0"
                 "b",
                 "a\xC2\xA0"
                 "b"},
           Shown{"line separator", "a\xE2\x80\xA8", "a\\u2028"},
           Shown{"paragraph separator", "a\xE2\x80\xA9", "a\\u2029"},
           Shown{"right-to-left override",
                 "txt.\xE2\x80\xAE"
                 "exe",
                 "txt.\\u202eexe"},
           Shown{"left-to-right mark", "\xE2\x80\x8E", "\\u200e"},
           Shown{"right-to-left mark", "\xE2\x80\x8F", "\\u200f"},
           Shown{"Arabic letter mark", "\xD8\x9C", "\\u061c"},
           Shown{"isolate", "\xE2\x81\xA6x\xE2\x81\xA9", "\\u2066x\\u2069"},
           Shown{"zero width space", "pay\xE2\x80\x8Bpal", "pay\\u200bpal"},
           Shown{"word joiner", "a\xE2\x81\xA0", "a\\u2060"},
           Shown{"byte order mark",
                 "\xEF\xBB\xBF"
                 "a",
                 "\\ufeffa"},
           Shown{"interlinear annotation", "\xEF\xBF\xB9", "\\ufff9"},
           Shown{"tag characters", "a\xF3\xA0\x81\x81", "a\\U000e0041"},
           Shown{"joiner of an emoji stays", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC",
                 "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC"},
           Shown{"Chinese stays", "\xE8\xAF\x97\xE6\xB5\xB7\xE6\x8A\xA5",
                 "\xE8\xAF\x97\xE6\xB5\xB7\xE6\x8A\xA5"},
           Shown{"broken bytes",
                 "a\xff\xfe"
                 "b",
                 "a\xEF\xBF\xBD\xEF\xBF\xBD"
                 "b"},
           Shown{"overlong slash", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
           Shown{"surrogate", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
           Shown{"beyond Unicode", "\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
           Shown{"zero byte", std::string_view("a\0b", 3), "a\\x00b"},
           Shown{"empty", "", ""},
       }) {
    EXPECT_EQ(one_line(text), line) << what;
    EXPECT_EQ(terminal_safe(text, false), what == std::string_view("tab") ? text : line) << what;
  }
  EXPECT_EQ(terminal_safe("a\tb\nc\rd"), "a\tb\nc\\x0dd") << "what goes to a terminal keeps its lines";
}

TEST(SafeText, a_cut_never_lies_inside_a_character) {
  const std::string poem = "\xE5\xB7\xA6\xE5\x8F\xB3"; // two characters of three bytes
  for (std::size_t limit = 0; limit <= 6; ++limit) {
    const std::string cut = one_line(poem, limit);
    EXPECT_EQ(cut, poem.substr(0, limit / 3 * 3) + (limit < 6 ? "..." : "")) << limit;
    EXPECT_EQ(valid_utf8(cut), cut);
  }
  EXPECT_EQ(one_line(std::string(1000, 'x'), 10), "xxxxxxxxxx...");
  EXPECT_EQ(one_line("0123456789", 10), "0123456789");
}

TEST(SafeText, markdown_shows_markup_as_text) {
  struct Row {
    std::string_view text, markdown;
  };
  for (const auto& [text, markdown] : {
           Row{"p99_latency", "p99_latency"},
           Row{"_emphasis_", "\\_emphasis\\_"},
           Row{"**bold**", "\\*\\*bold\\*\\*"},
           Row{"[click](javascript:alert(1))", "\\[click\\](javascript:alert(1))"},
           Row{"![x](http://h/p.png)", "!\\[x\\](http://h/p.png)"},
           Row{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
           Row{"a & b &lt;", "a &amp; b &amp;lt;"},
           Row{"cell | next", "cell \\| next"},
           Row{"`code`", "\\`code\\`"},
           Row{"# title", "\\# title"},
           Row{"- item", "\\- item"},
           Row{"+ item", "\\+ item"},
           Row{"=== line", "\\=== line"},
           Row{"~~gone~~", "\\~\\~gone\\~\\~"},
           Row{"$x$", "\\$x\\$"},
           Row{"back\\slash", "back\\\\slash"},
           Row{"two\nlines", "two\\\\x0alines"},
           Row{"", ""},
       })
    EXPECT_EQ(markdown_text(text), markdown) << text;
}

TEST(SafeText, a_code_span_is_closed_by_its_own_fence_only) {
  struct Row {
    std::string_view text, markdown;
  };
  for (const auto& [text, markdown] : {
           Row{"x", "`x`"},
           Row{"a`b", "``a`b``"},
           Row{"``", "``` `` ```"},
           Row{"`edge", "`` `edge ``"},
           Row{"a|b", "`a\\|b`"},
           Row{"", "` `"},
           Row{"a\nb", "`a\\x0ab`"},
       })
    EXPECT_EQ(markdown_code(text), markdown) << text;
}

TEST(SafeText, widths_and_lines_count_columns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\xE8\xAF\x97"), 2U);     // CJK
  EXPECT_EQ(display_width("\xEF\xBC\xA1"), 2U);     // full-width A
  EXPECT_EQ(display_width("\xEF\xBD\xB1"), 1U);     // half-width katakana
  EXPECT_EQ(display_width("\xED\x95\x9C"), 2U);     // Hangul
  EXPECT_EQ(display_width("\xF0\x9F\x91\xA9"), 2U); // emoji
  EXPECT_EQ(display_width("\xC3\xA9\xD0\xB6"), 2U); // Latin and Cyrillic letters are narrow
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one  two", 80), (Lines{"one  two"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("", 10), (Lines{""}));
  EXPECT_EQ(wrap("\xE8\xAF\x97\xE6\xB5\xB7\xE6\x8A\xA5", 4),
            (Lines{"\xE8\xAF\x97\xE6\xB5\xB7", "\xE6\x8A\xA5"}));
  for (std::size_t width = 2; width < 20; ++width)
    for (const std::string& line :
         wrap("the queue \xE6\xB5\xB7\xE6\x8A\xA5 waits averyverylongword here", width))
      EXPECT_LE(display_width(line), width) << line;
}

TEST(SafeText, every_view_agrees_on_what_acts) {
  // The range borders of base/unicode.hpp, from the Unicode character database's Cc, Zl, Zp, Bidi_Control and
  // Default_Ignorable_Code_Point, without the joiners and variation selectors.
  for (const std::uint32_t c :
       {0x0U, 0x1FU, 0x7FU, 0x9FU, 0x61CU, 0x200BU, 0x200EU, 0x202AU, 0x202EU, 0x2066U, 0x2069U, 0x2060U,
        0x2064U, 0xFEFFU, 0xFFF9U, 0xFFFEU, 0xFFFFU, 0xE0001U, 0xE007FU})
    EXPECT_TRUE(acts_on_text(c)) << std::hex << c;
  for (const std::uint32_t c : {0x20U, 0x7EU, 0xA0U, 0x61BU, 0x200AU, 0x200CU, 0x200DU, 0x2027U, 0x202FU,
                                0xFE0FU, 0xFFFDU, 0x1F469U, 0xE0080U, 0x10FFFDU})
    EXPECT_FALSE(acts_on_text(c)) << std::hex << c;
}

} // namespace
} // namespace prof
