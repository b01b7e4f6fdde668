// Identities and what nobody uses.
#include "graph/match.hpp"
#include "graph/pass.hpp"

namespace prof {
namespace {

int run(Graph& g, const PassOptions&) {
  int count = 0;
  for (NodeIndex i = 0; i < g.node_count(); ++i) {
    if (!is_op(g, i, "Identity", 1)) continue;
    const std::string out = g.node(i).output(0), in = g.node(i).input(0);
    // A nested graph names the value that it reads: an output of the outer graph may change its maker, that
    // name may not.
    if (g.is_kept(in) || !g.replace(out, in)) continue;
    g.remove(i);
    ++count;
  }
  return count + g.remove_unused();
}

} // namespace

extern const Pass cleanup_pass;
const Pass cleanup_pass{.id = "cleanup", .order = 90, .text_id = "atc.pass.cleanup", .run = run};

} // namespace prof
