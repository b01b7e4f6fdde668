#include "profiler/verbs.hpp"

int main(int argc, char** argv) {
  return prof::run_program("profiler", prof::all_verbs(), argc, argv);
}
