#include "base/temporary.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

namespace prof {
namespace {

// Global, because a signal handler is given nothing else. A command holds a handful at once; a file beyond
// that is still removed by its Temporary, only not by a signal.
constexpr std::size_t kSlots = 256;
std::array<std::atomic<const char*>, kSlots> g_names{};
static_assert(std::atomic<const char*>::is_always_lock_free, "read in a signal handler");

// A folder goes if what was in it is gone.
void remove_now(const char* name) noexcept {
  if (::unlink(name) != 0 && errno == EISDIR) ::rmdir(name);
}

// A name that a handler took out while its owner lived: it may still be reading it, so it is kept for good.
void keep_for_good(std::unique_ptr<std::string> name) {
  static std::mutex mutex;
  static auto& kept =
      *new std::vector<std::unique_ptr<std::string>>; // never destroyed: handlers run until the end
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(name));
}

} // namespace

Temporary::Temporary(const std::filesystem::path& path)
    : path_(path), name_(std::make_unique<std::string>(path.string())), slot_(kSlots) {
  for (std::size_t i = 0; i < kSlots; ++i) {
    const char* free_slot = nullptr;
    if (!g_names[i].compare_exchange_strong(free_slot, name_->c_str())) continue;
    slot_ = i;
    return;
  }
}

Temporary::Temporary(Temporary&& other) noexcept {
  *this = std::move(other);
}

Temporary& Temporary::operator=(Temporary&& other) noexcept {
  if (this == &other) return *this;
  drop(true);
  path_ = std::move(other.path_);
  name_ = std::move(other.name_);
  slot_ = other.slot_;
  other.path_.clear();
  return *this;
}

Temporary::~Temporary() {
  drop(true);
}

void Temporary::release() {
  drop(false);
}

void Temporary::drop(bool is_removed) {
  if (!name_) return;
  if (is_removed) remove_now(name_->c_str());
  // Whoever takes the name out of its slot owns it: a handler on another thread may be reading it.
  if (slot_ < kSlots && g_names[slot_].exchange(nullptr) == nullptr) keep_for_good(std::move(name_));
  name_.reset();
  path_.clear();
}

void remove_temporaries() noexcept {
  const int before = errno; // of whoever the signal came to
  // Those made last go first: a folder comes before its files.
  for (auto name = g_names.rbegin(); name != g_names.rend(); ++name)
    if (const char* taken = name->exchange(nullptr); taken != nullptr) remove_now(taken);
  errno = before;
}

} // namespace prof
