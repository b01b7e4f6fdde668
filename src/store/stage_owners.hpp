// stage_owners.hpp: which stage owns an instant of a thread. Nesting answers that for most slices; time
// answers it where a stage's ends lie across other slices of its thread (a marker that one call opened and
// another closed), and for the threads that a step works on beside its own.
#pragma once
#include "store/tables.hpp"

#include <limits>
#include <map>
#include <vector>

namespace prof {

// The first value of a set under a key; nullptr: it has none.
[[nodiscard]] const ArgValue* find_arg(const ArgTable& args, std::uint32_t set, StrId key);
[[nodiscard]] StrId text_arg(const ArgTable& args, std::uint32_t set, StrId key);

// Who owns each instant of one place, from spans that may overlap.
class TimeOwners {
public:
  enum class Overlap : std::uint8_t {
    latest, // of those open at once the one that began last
    nested, // the same where it lies inside all the others, else nobody: it cannot be told whose time it is
  };
  struct Part {
    std::uint32_t slice = kNoRow; // kNoRow: nobody
    std::int64_t to = std::numeric_limits<std::int64_t>::max();
  };
  explicit TimeOwners(Overlap overlap) : overlap_(overlap) {}

  void add(std::int64_t from, std::int64_t to, std::uint32_t slice);
  void seal();
  [[nodiscard]] Part at(std::int64_t ts) const; // O(log n), after seal()

private:
  struct Span {
    std::int64_t from = 0, to = 0;
    std::uint32_t slice = 0;
  };
  struct Begin {
    std::int64_t from = 0;
    std::uint32_t slice = 0;
  };
  Overlap overlap_;
  std::vector<Span> spans_;
  std::vector<Begin> begins_;
};

// The stages of a trace by time: first those of the thread itself, then those that cover its process
// (words::kArgCovers).
class StageOwners {
public:
  struct Words {
    StrId stage, covers, process;
  };
  StageOwners(const Tables& t, const Words& words);
  // Of a track of a thread; other tracks have no owner.
  [[nodiscard]] TimeOwners::Part at(std::uint32_t track, std::int64_t ts) const;

private:
  const Tables& t_;
  std::map<std::uint32_t, TimeOwners> of_track_, of_process_;
};

} // namespace prof
