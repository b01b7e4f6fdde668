// output_claim.hpp: an output's name belongs to one command from before there is a file of that name.
#pragma once
#include <filesystem>
#include <optional>

namespace prof {

// Held as long as the object and its process live, however that ends; on the disk there is nothing of it. It
// holds against commands of this machine that claim too (of one container: its network has the names).
class OutputClaim {
public:
  OutputClaim() = default; // of nothing
  // None while another command holds the name, by whatever path. Where the system has no such names
  // everybody is given one.
  [[nodiscard]] static std::optional<OutputClaim> take(const std::filesystem::path& path);
  OutputClaim(OutputClaim&& other) noexcept;
  OutputClaim& operator=(OutputClaim&& other) noexcept;
  OutputClaim(const OutputClaim&) = delete;
  OutputClaim& operator=(const OutputClaim&) = delete;
  ~OutputClaim();

private:
  int fd_ = -1;
};

} // namespace prof
