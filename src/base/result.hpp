// result.hpp: the one error channel of the library. No exceptions cross a part's public header.
#pragma once
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace prof {

enum class Errc : std::uint8_t {
  io,           // the operating system said no (disk full, no such file)
  permission,   // the operating system refused: the message says which right is missing and how to grant it
  malformed,    // input breaks its own format
  unsupported,  // valid input, but a version or feature we do not read
  missing,      // a needed signal, column or file is absent
  bad_argument, // the caller's request makes no sense
  budget,       // a size, time or memory limit was hit
  not_found,    // the named target does not exist (what lists the nearest names)
  interrupted,  // the user stopped us before anything could be kept
  internal,     // a bug of ours
};

// What failed, in a form a person can act on. `where` is "path:offset", "path:line" or a stage name.
struct [[nodiscard]] Error {
  Errc code = Errc::internal;
  std::string what;  // lower case, no full stop: "slice ends before it starts"
  std::string where; // empty where the caller adds it with at()
  std::string zh{};  // `what` in Chinese, from the catalogue; empty = it is known in English alone
  Error at(std::string place) && {
    where = where.empty() ? std::move(place) : std::move(place) + ": " + where;
    return std::move(*this);
  }
};

template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T> && !std::is_same_v<std::remove_cv_t<T>, Error>);

public:
  // Implicit on purpose: "return value;" and "return Error{...};" are the whole point.
  // NOLINTBEGIN(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  T& operator*() & noexcept {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const& noexcept {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& operator*() && noexcept {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T* operator->() noexcept { return &**this; }
  const T* operator->() const noexcept { return &**this; }
  [[nodiscard]] const Error& error() const& noexcept {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Error&& error() && noexcept {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {} // NOLINT(google-explicit-constructor)
  [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const Error& error() const& noexcept {
    assert(!ok());
    return *error_;
  }
  [[nodiscard]] Error&& error() && noexcept {
    assert(!ok());
    return std::move(*error_);
  }

private:
  std::optional<Error> error_;
};
using Status = Result<void>;

} // namespace prof

// PROF_TRY(auto head, read_head(file)); returns the error to the caller, else binds the value.
#define PROF_CAT_(a, b) a##b
#define PROF_CAT(a, b) PROF_CAT_(a, b)
#define PROF_TRY(decl, expr) PROF_TRY_(PROF_CAT(try_, __COUNTER__), decl, expr)
#define PROF_TRY_(tmp, decl, expr)                                                                           \
  auto tmp = (expr);                                                                                         \
  if (!tmp) return std::move(tmp).error();                                                                   \
  decl = *std::move(tmp)
#define PROF_CHECK(expr)                                                                                     \
  do {                                                                                                       \
    if (auto check_ = (expr); !check_) return std::move(check_).error();                                     \
  } while (false)
