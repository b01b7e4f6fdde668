set(test_libs prof_tracefile prof_import prof_store)
# Writes the events of whole files as text, over and over: optimised, as what it tests.
set_source_files_properties(tracefile/damage_test.cpp PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
