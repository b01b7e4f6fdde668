# Corpus: golden.pb as in tests/tracefile/data; ours.pb: the first packets of each kind that `page_maker service`
# writes, out of their compressed groups, so that a mutation reaches them.
set(fuzz_libs prof_tracefile prof_store)
