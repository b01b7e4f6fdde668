set(test_libs prof_cases prof_report prof_tracefile PkgConfig::SQLITE PkgConfig::YAMLCPP)
cmake_language(DEFER CALL add_dependencies test_cases profiler) # the library as the program keeps it
