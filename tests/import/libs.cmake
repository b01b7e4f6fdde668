set(test_libs prof_import prof_store)
cmake_language(DEFER CALL add_dependencies test_import profiler) # exit statuses are the program's
