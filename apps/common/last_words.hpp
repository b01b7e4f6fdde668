// last_words.hpp: the one way to standard output, and what a program does before and after its work so that a
// full disk, a closed pipe, a signal or missing memory end in one line and not in an abort.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <exception>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace prof {

// Standard output, buffered. After the first error it drops everything and keeps the error. Not thread-safe.
class StdOut {
public:
  void put(std::string_view bytes);
  // Writes what is held. Errors: io, interrupted (nobody reads the pipe).
  [[nodiscard]] Status flush();

private:
  std::string buffer_;
  Status status_;
};

// One piece of text to standard error. That it cannot be written never matters: there is nobody left to tell.
void put_error(std::string_view text) noexcept;

// Descriptors 0 to 2 that came closed get /dev/null, so that no output file is ever taken for them. Writing
// to a standard output that was closed stays an error.
void open_standard_descriptors();

// Interrupts (INT, TERM, HUP) remove the temporaries, print `program`'s one line and end with 130; a closed
// pipe and a file at its size limit become errors of write(); memory that runs out where no frame can catch
// it (another thread) ends with 3 instead of an abort. A signal that came ignored stays ignored.
void install_last_words(std::string_view program, std::string_view verb, Lang lang);

// From here on the lines of a crash and of missing memory say that the file at `path`, which grows, is kept
// and can be read; with an empty one it says again that there is none.
void keep_at_crash(std::string_view path);

// Memory that was not there, or a thread that could not start: its stack is memory too.
[[nodiscard]] bool is_out_of_memory(const std::exception& error) noexcept;

// "profiler: out of memory in 'query'; ..." to standard error, without allocating.
void tell_out_of_memory() noexcept;

} // namespace prof
