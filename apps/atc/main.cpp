#include "atc/verbs.hpp"

int main(int argc, char** argv) {
  return prof::run_program("atc", prof::all_verbs(), argc, argv);
}
