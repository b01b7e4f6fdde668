set(test_libs prof_capture)
