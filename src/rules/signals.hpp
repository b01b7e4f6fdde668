// signals.hpp: can this trace answer? One place that turns signals and table contents into "yes" or a reason.
#pragma once
#include "rules/diagnosis.hpp"

#include <map>
#include <string>

namespace prof {

// Answers are remembered: each question scans a table once. Refers to store and sql, which must outlive it.
class SignalBook {
public:
  SignalBook(const Store& store, Sql& sql, Lang lang) : store_(store), sql_(sql), lang_(lang) {}
  // nullopt = available; else what is missing, why, and how to get it.
  [[nodiscard]] std::optional<MissingSignal> missing(const std::string& name);
  // The groups of which no member is available, each told by its first member.
  [[nodiscard]] std::vector<MissingSignal> missing(const std::vector<AnyOf>& needs);

  // The recording itself says that there was no accelerator to record.
  [[nodiscard]] bool has_no_device() const;

private:
  [[nodiscard]] bool has_rows(const std::string& name);
  [[nodiscard]] std::optional<MissingSignal> look(const std::string& name);
  const Store& store_;
  Sql& sql_;
  Lang lang_;
  std::map<std::string, std::optional<MissingSignal>> known_;
};

} // namespace prof
