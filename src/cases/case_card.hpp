// case_card.hpp: one solved (or tried) problem with the figures that prove it, as far as they are in
// evidence.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"
#include "cases/journal.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace prof {

struct CaseCause {
  std::string id{}, title{};
  double confidence = 0, share_mean = 0, share_slow = 0;
};
// One metric of the validation behind the card. verdict: as of `validate`, but for "no_change", which is
// "equal" where that was shown and "not_resolved" where nothing was.
struct CaseFigure {
  std::string metric, unit = {}, verdict = {}, reason = {};
  std::optional<double> before = {}, after = {}, change = {}, change_lo = {}, change_hi = {}, p = {};
  bool is_within_run = false;
};
// A file that the card rests on.
struct CaseEvidence {
  std::string role{}; // "diagnosis", "plan", "validation", "before", "after"
  std::string path{}, sha256{};
  std::int64_t journal_id = 0; // of the entry that made it; 0: none did
};
// draft: no measured before and after. measured: figures, none significant (or one run a side). validated: a
// requested metric is significantly better over several runs a side.
enum class CaseState : std::uint8_t { draft, measured, validated };
[[nodiscard]] std::string_view case_state_name(CaseState state);

struct CaseCard {
  std::string id{}, problem{}, target{};
  std::vector<std::string> solution{};
  CaseState state = CaseState::draft;
  std::vector<CaseCause> causes{};
  // Headings of the plan's steps that are in evidence as applied: their action is named in `solution`
  // ("stepN" or the action's id), or a validated trace was recorded after them (trace_after_stepN...).
  std::vector<std::string> steps{};
  std::vector<std::string> mended{};  // ids of the causes that these steps are about
  std::int64_t steps_not_applied = 0; // of the plan, as far as is known
  std::vector<CaseFigure> figures{};  // the metrics asked for, or all of the validation
  std::string outcome{};              // the answer of the validation: "not_resolved"; empty = none is known
  std::map<std::string, std::string> environment{};
  std::vector<CaseEvidence> evidence{};
  bool has_journal = false;           // the workspace has one, so that a file of no entry was made elsewhere
  bool is_comparable = true;          // the validation's checks passed
  std::vector<std::string> missing{}; // text ids of what is not in evidence
};

struct CaseRequest {
  std::string problem{};
  std::vector<std::string> solution = {}, metrics = {};
  std::string diagnosis = {}, plan = {}; // paths; empty = look in the journal
  std::string validation = {};           // path of a .json or .yaml validation; empty = look in the journal
  Lang lang = Lang::en;                  // of messages
  std::string validation_text = {}; // the validation itself, when --before/--after were validated just now
};
// journal may be null. Files that cannot be read are errors when the user named them, and "missing" when the
// journal did.
[[nodiscard]] Result<CaseCard> gather_case(const CaseRequest& request, Journal* journal);
// The metrics of a validation as `validate` wrote it (JSON or YAML text); empty where it is none.
[[nodiscard]] std::vector<CaseFigure> figures_in(const std::string& validation);
// "SD3: high p99!" -> "sd3-high-p99".
[[nodiscard]] std::string slug(std::string_view text);

} // namespace prof
