// What a capture says at its end of the rows that went through it.
#include "capture/ledger_sink.hpp"
#include "recording_sink.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(Ledger, covers_from_the_first_row_to_the_end_of_the_last_whatever_they_are) {
  RecordingSink sink;
  LedgerSink ledger(sink);
  EXPECT_EQ(ledger.covered(), Dur{0});
  const auto track = ledger.counter_track({.name = ledger.intern("c")});
  ledger.counter(track, {5000}, 1);
  EXPECT_EQ(ledger.covered(), Dur{0}) << "one moment";
  ledger.sched_switch({.ts = {4990}, .next_tid = 1});
  EXPECT_EQ(ledger.covered(), Dur{10});
  ledger.slice({.ts = {5100}, .dur = {50}});
  EXPECT_EQ(ledger.covered(), Dur{160});
  ledger.slice({.ts = {5120}, .dur = {-1}});
  EXPECT_EQ(ledger.covered(), Dur{160}) << "one that has not ended";
  ledger.sample({.ts = {5200}, .thread = ledger.thread({.tid = 1})});
  EXPECT_EQ(ledger.covered(), Dur{210});
  ledger.sched_wakeup({.ts = {5201}, .tid = 1});
  EXPECT_EQ(ledger.covered(), Dur{211});
  ledger.gap({.ts = {4000}, .dur = {100}});
  EXPECT_EQ(ledger.covered(), Dur{1201});
  ledger.kernel({.ts = {5000}, .dur = {1000}});
  EXPECT_EQ(ledger.covered(), Dur{2000});
  EXPECT_EQ(ledger.events(), 7) << "all but the gap";
}

} // namespace
} // namespace prof
