#include "import/proto/top_fields.hpp"

#include "import/json/text_window.hpp"
#include "import/reader_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <protozero/exception.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>

namespace prof::proto {
namespace {

constexpr std::uint64_t kMaxField = std::uint64_t{1} << 30; // what one message may take of our memory
constexpr std::size_t kLongestHead = 20;                    // a tag and a length, as varints

struct Head {
  std::uint32_t tag = 0;
  protozero::pbf_wire_type type = protozero::pbf_wire_type::unknown;
  std::uint64_t length = 0; // of what follows the head
  std::size_t size = 0;     // of the head itself
};

// Throws protozero::exception when the text ends or is no field.
Head head_of(std::string_view text) {
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  Head head;
  const std::uint64_t key = protozero::decode_varint(&at, end);
  head.tag = static_cast<std::uint32_t>(key >> 3U);
  head.type = static_cast<protozero::pbf_wire_type>(key & 7U);
  const char* after = at;
  switch (head.type) {
  case protozero::pbf_wire_type::length_delimited:
    head.length = protozero::decode_varint(&after, end);
    break;
  case protozero::pbf_wire_type::varint:
    (void)protozero::decode_varint(&after, end);
    break;
  case protozero::pbf_wire_type::fixed64:
    head.length = 8;
    break;
  case protozero::pbf_wire_type::fixed32:
    head.length = 4;
    break;
  case protozero::pbf_wire_type::unknown:
  default:
    throw protozero::unknown_pbf_wire_type_exception{};
  }
  if (head.tag == 0) throw protozero::invalid_tag_exception{};
  head.size = static_cast<std::size_t>(after - text.data());
  return head;
}

class FieldFile {
public:
  FieldFile(json::TextWindow window, const std::function<void(std::uint32_t, std::string_view)>& take)
      : window_(std::move(window)), take_(take) {}

  Result<FieldReport> read() {
    for (;;) {
      PROF_TRY(const bool has_head, window_.fill(kLongestHead));
      if (!has_head && window_.text().empty()) break;
      PROF_TRY(const bool goes_on, field());
      if (!goes_on) break;
    }
    report_.bytes = window_.offset() + static_cast<std::int64_t>(window_.text().size());
    return report_;
  }

private:
  void damaged() {
    if (report_.damaged++ == 0) report_.first_offset = window_.offset();
  }
  Result<bool> pass_over(std::uint64_t length) {
    while (length > 0) {
      const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(length, 1U << 20U));
      PROF_TRY(const bool is_there, window_.fill(step));
      const std::size_t size = std::min(step, window_.text().size());
      window_.consume(size);
      length -= size;
      if (!is_there) {
        report_.is_cut = true;
        return false;
      }
    }
    return true;
  }

  Result<bool> field() {
    Head head;
    try {
      head = head_of(window_.text());
    } catch (const protozero::exception&) {
      damaged(); // without its length nothing after it can be found
      return false;
    }
    if (head.type == protozero::pbf_wire_type::length_delimited && head.length > kMaxField) {
      damaged();
      window_.consume(head.size);
      return pass_over(head.length);
    }
    const std::size_t size = head.size + static_cast<std::size_t>(head.length);
    PROF_TRY(const bool is_whole, window_.fill(size));
    const std::string_view text = window_.text();
    report_.is_cut = !is_whole;
    if (head.type == protozero::pbf_wire_type::length_delimited) {
      ++report_.fields;
      try {
        take_(head.tag, text.substr(head.size, static_cast<std::size_t>(head.length)));
      } catch (const protozero::exception&) {
        if (is_whole) damaged();
      }
    }
    window_.consume(std::min(size, text.size()));
    return is_whole;
  }

  json::TextWindow window_;
  const std::function<void(std::uint32_t, std::string_view)>& take_;
  FieldReport report_;
};

} // namespace

Result<FieldReport>
each_top_field(const std::filesystem::path& path,
               const std::function<void(std::uint32_t tag, std::string_view bytes)>& take) {
  PROF_TRY(json::TextWindow window, json::TextWindow::open(path));
  return FieldFile(std::move(window), take).read();
}

void note_losses(const FieldReport& report, TraceSink& sink) {
  say_note(sink, Severity::data_loss, "note.proto.damaged", report.damaged,
           fmt::format("offset {}", report.first_offset));
  say_note(sink, Severity::data_loss, "note.proto.cut", report.is_cut ? 1 : 0,
           fmt::format("offset {}", report.bytes));
}

std::string_view clipped_field(std::string_view bytes, std::uint32_t tag) {
  try {
    while (!bytes.empty()) {
      const Head head = head_of(bytes);
      bytes.remove_prefix(head.size);
      const std::string_view content =
          bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(head.length, bytes.size())));
      if (head.tag == tag && head.type == protozero::pbf_wire_type::length_delimited) return content;
      bytes.remove_prefix(content.size());
    }
  } catch (const protozero::exception&) {
    return {}; // ends in the middle of a field, or is something else
  }
  return {};
}

} // namespace prof::proto
