set(test_libs prof_plan prof_report)
    cmake_language(DEFER CALL add_dependencies test_plan atc poster_models) #the commands of plans are run
