set(fuzz_libs prof_import prof_store)
