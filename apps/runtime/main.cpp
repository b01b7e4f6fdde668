#include "runtime/verbs.hpp"

int main(int argc, char** argv) {
  return prof::run_program("runtime", prof::all_verbs(), argc, argv);
}
