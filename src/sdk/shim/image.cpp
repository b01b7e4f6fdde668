#include "sdk/shim/shim.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace prof::shim {

namespace {

struct Search {
  std::uintptr_t address;
  Image* out;
  bool is_found;
};

void add(Range* ranges, int& count, Range range) {
  if (count < Image::kMaxRanges) ranges[count++] = range;
}

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    holds = holds || (p.p_type == PT_LOAD && search->address >= begin && search->address < begin + p.p_memsz);
  }
  if (!holds) return 0;
  Image& out = *search->out;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = info->dlpi_phdr[i];
    const Range range{info->dlpi_addr + p.p_vaddr, info->dlpi_addr + p.p_vaddr + p.p_memsz};
    if (p.p_type == PT_GNU_RELRO) out.sealed = range;
    if (p.p_type != PT_LOAD) continue;
    if ((p.p_flags & PF_X) != 0)
      add(out.code, out.code_count, range);
    else if ((p.p_flags & PF_W) != 0)
      add(out.tables, out.table_count, {range.begin, range.begin + p.p_filesz});
    else
      add(out.constants, out.constant_count, range);
  }
  search->is_found = true;
  return 1;
}

} // namespace

bool Image::is_code(std::uintptr_t at) const {
  for (int i = 0; i < code_count; ++i)
    if (code[i].has(at)) return true;
  return false;
}
bool Image::is_table(std::uintptr_t at, std::size_t bytes) const {
  for (int i = 0; i < table_count; ++i)
    if (tables[i].has(at, bytes)) return true;
  return false;
}

bool find_image(const void* address, Image& out) {
  Search search{reinterpret_cast<std::uintptr_t>(address), &out, false};
  dl_iterate_phdr(look_at, &search);
  return search.is_found;
}

bool set_sealed_writable(const Image& image, bool is_writable) {
  if (image.sealed.end <= image.sealed.begin) return true; // never sealed
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  // As the loader does it: the page that also holds plain data stays writable.
  const std::uintptr_t begin = image.sealed.begin & ~(page - 1);
  const std::uintptr_t end = image.sealed.end & ~(page - 1);
  if (end <= begin) return true;
  return mprotect(reinterpret_cast<void*>(begin), end - begin,
                  is_writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

} // namespace prof::shim
