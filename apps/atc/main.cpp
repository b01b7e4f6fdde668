#include "atc/vendor.hpp"
#include "atc/verbs.hpp"

int main(int argc, char** argv) {
  if (prof::is_foreign(prof::all_verbs(), argc, argv))
    if (const auto vendor = prof::vendor_atc()) prof::hand_over(*vendor, argv);
  return prof::run_program("atc", prof::all_verbs(), argc, argv);
}
