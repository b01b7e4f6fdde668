// notes.hpp: losses counted by name while reading, written as ledger notes at the end.
#pragma once
#include "trace/sink.hpp"

#include <map>
#include <string>
#include <string_view>

namespace prof::ascend {

class Notes {
public:
  void count(std::string_view code, Severity severity, std::string_view where = {}, std::int64_t n = 1) {
    Entry& entry = entries_[std::string(code)];
    if (entry.n == 0) entry = {.severity = severity, .n = 0, .where = std::string(where)};
    entry.n += n;
  }
  void write(TraceSink& sink) const {
    for (const auto& [code, entry] : entries_)
      sink.note({.severity = entry.severity,
                 .code = sink.intern(code),
                 .count = entry.n,
                 .where = sink.intern(entry.where)});
  }

private:
  struct Entry {
    Severity severity = Severity::info;
    std::int64_t n = 0;
    std::string where; // of the first one
  };
  std::map<std::string, Entry> entries_;
};

} // namespace prof::ascend
