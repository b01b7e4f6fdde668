set(test_libs prof_plan prof_report prof_tracefile)
cmake_language(DEFER CALL add_dependencies test_plan atc profiler poster_models) # the commands of plans are run
