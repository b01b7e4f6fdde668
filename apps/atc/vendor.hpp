// vendor.hpp: the other program called atc.
#pragma once
#include "common/cli.hpp"

#include <optional>
#include <span>
#include <string>

namespace prof {

// The vendor's atc: the first executable of that name in PATH that is not this program. Empty when there is
// none, or when we were started by one (it may be a wrapper of ours: no ping-pong).
[[nodiscard]] std::optional<std::string> vendor_atc();
// True when the command line is none of our own: no verb of ours stands first.
[[nodiscard]] bool is_foreign(std::span<const Verb* const> verbs, int argc, char** argv);
// Becomes the vendor's atc with the same arguments; returns only when that fails.
void hand_over(const std::string& program, char** argv);

} // namespace prof
