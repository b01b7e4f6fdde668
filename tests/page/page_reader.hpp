// page_reader.hpp: takes a written page apart again, as the viewer does: JSON elements and deflated sections.
#pragma once
#include "report/html/html_page.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <zlib.h>

namespace prof {

class PageReader {
public:
  explicit PageReader(const Store& store, const PageOptions& options = {}) {
    const auto stats = write_html_page(store, options, [this](std::string_view bytes) {
      page_ += bytes;
      return Status();
    });
    EXPECT_TRUE(stats);
  }
  [[nodiscard]] const std::string& page() const { return page_; }
  [[nodiscard]] nlohmann::json json(const std::string& id) const {
    return nlohmann::json::parse(element("application/json", id));
  }
  // The bytes behind NAME.0, NAME.1, ...; empty when the page has none.
  [[nodiscard]] std::string section(const std::string& name) const {
    std::string packed;
    for (int i = 0; has(name + "." + std::to_string(i)); ++i)
      packed += decoded(element("text/plain", name + "." + std::to_string(i)));
    return inflated(packed);
  }
  [[nodiscard]] nlohmann::json section_json(const std::string& name) const {
    return nlohmann::json::parse(section(name));
  }
  // The stream of packed rows, which is not deflated.
  [[nodiscard]] std::string rows() const { return decoded(element("text/plain", "rows.0")); }

private:
  [[nodiscard]] bool has(const std::string& id) const {
    return page_.find("id=\"" + id + "\">") != std::string::npos;
  }
  [[nodiscard]] std::string element(const std::string& type, const std::string& id) const {
    const std::string open = "<script type=\"" + type + "\" id=\"" + id + "\">";
    const std::size_t at = page_.find(open);
    if (at == std::string::npos) return {};
    const std::size_t from = at + open.size();
    return page_.substr(from, page_.find("</script>", from) - from);
  }
  static std::string decoded(const std::string& text) {
    static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string::npos) break;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
    }
    return out;
  }
  static std::string inflated(std::string packed) {
    if (packed.empty()) return {};
    std::string out(1 << 20, '\0');
    z_stream z{};
    EXPECT_EQ(inflateInit2(&z, -15), Z_OK);
    z.next_in = reinterpret_cast<Bytef*>(packed.data());
    z.avail_in = static_cast<uInt>(packed.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(inflate(&z, Z_FINISH), Z_STREAM_END);
    out.resize(out.size() - z.avail_out);
    inflateEnd(&z);
    return out;
  }
  std::string page_;
};

} // namespace prof
