// fill.hpp: puts the names of a trace into an action's commands and files.
#pragma once
#include "plan/action.hpp"
#include "plan/plan.hpp"
#include "plan/service_facts.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// The value of a placeholder.
struct Place {
  std::string text;
  bool is_shell = false; // words of a shell already; else one word, quoted where it is put in
};
// Placeholders whose value the trace does not know are absent; one that is known to stand for nothing is
// empty.
using Places = std::map<std::string, Place, std::less<>>;

// The places that hold for the whole service.
[[nodiscard]] Places places_of(const Store& store, const RequestModel* model, const ServiceFacts& facts,
                               const std::string& target);

// Each model file that is known and takes 5 % of the operator time or more.
struct ModelFile {
  std::string path;
  std::string converted; // the name, in the plan's folder, of what `atc` makes of it; `suffix` is in it
};
[[nodiscard]] std::vector<ModelFile> model_files(const Store& store, std::string_view suffix);

// Replaces {name}: quoted for a shell when `is_shell`. Unknown ones become NAME in capitals and are added to
// `open`.
[[nodiscard]] std::string fill(std::string_view text, const Places& places, bool is_shell,
                               std::vector<std::string>& open);
// Does `text` name a place that is known to stand for nothing? Then the command has nothing to do.
[[nodiscard]] bool is_idle(std::string_view text, const Places& places);

// A command line whose words are quoted; options whose value `config` ("key: value" lines) gives are left
// out, because services let the command line win over the file.
[[nodiscard]] std::string command_line(const std::vector<std::string>& words,
                                       const std::vector<std::string>& config);

// Which of its words an option of this name ("max_batch" of "--max-batch=4") is; the size when there is none.
[[nodiscard]] std::size_t find_option(const std::vector<std::string>& words, std::string_view name);
// The words with the value of that option replaced, as it was spelled: "--max-batch=8", or the word behind
// it.
void set_option(std::vector<std::string>& words, std::string_view name, std::string_view value);

// What lists the processes of a service that was started by this command line, whatever its options:
// "pgrep -f -- '^python3 serve\\.py( |$)'". Without a command line "pidof -- PROGRAM"; empty when neither is
// known.
[[nodiscard]] std::string find_command(const ServiceFacts& facts);

// A path as one word that no program takes for an option.
[[nodiscard]] std::string path_word(std::string_view path);

// fusion_config.json that switches on the passes of the picked actions and off those of the others. Passes
// that no action names (folding, cleaning up) run as by default; none is forced where it does not pay.
[[nodiscard]] std::string fusion_config(const std::vector<Action>& all,
                                        const std::vector<const Action*>& picked);

// A script that applies (or undoes) a step. $here in a command is the script's folder. `refusal`, when not
// empty, is what it says and stops with before the first command.
[[nodiscard]] std::string script_of(std::string_view title, const std::vector<std::string>& commands,
                                    std::string_view refusal);

} // namespace prof::detail
