// elf_maker.hpp: ELF files made by hand, right in every byte unless a test says otherwise.
#pragma once
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace prof::test {

struct ElfMaker {
  struct Symbol {
    std::string name;
    std::uint64_t address = 0, size = 0;
    unsigned char type = STT_FUNC;
    std::uint16_t section = 1;
  };
  std::uint16_t machine = EM_X86_64;
  std::uint64_t address = 0x1000; // of the code
  std::string code;
  std::vector<Symbol> symbols;
  std::string build_id; // raw bytes
  Elf64_Phdr segment{}; // what the test wants changed after make() laid it out
  bool has_segment = true;

  // Header, one segment, code, build id, symbols, section table.
  [[nodiscard]] std::string make() {
    std::string file(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), '\0');
    std::string names(1, '\0'), section_names(1, '\0');
    std::vector<Elf64_Shdr> sections(1);
    const auto add = [&](const char* name, std::uint32_t type, const std::string& bytes, std::uint64_t at,
                         std::uint64_t entry, std::uint32_t link) {
      file.resize((file.size() + 7) / 8 * 8);
      Elf64_Shdr s{};
      s.sh_name = static_cast<Elf64_Word>(section_names.size());
      s.sh_type = type;
      s.sh_addr = at;
      s.sh_flags = at != 0 ? SHF_ALLOC | SHF_EXECINSTR : 0;
      s.sh_offset = file.size();
      s.sh_size = bytes.size();
      s.sh_entsize = entry;
      s.sh_link = link;
      s.sh_addralign = 8;
      section_names += std::string(name) + '\0';
      file += bytes;
      sections.push_back(s);
    };
    add(".text", SHT_PROGBITS, code, address, 0, 0);
    segment = Elf64_Phdr{PT_LOAD, PF_R | PF_X, sections[1].sh_offset, address,
                         address, code.size(), code.size(),           8};
    std::string table(sizeof(Elf64_Sym), '\0');
    for (const Symbol& symbol : symbols) {
      const Elf64_Sym s{static_cast<Elf64_Word>(names.size()),
                        static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, symbol.type)),
                        0,
                        symbol.section,
                        symbol.address,
                        symbol.size};
      names += symbol.name + '\0';
      table.append(reinterpret_cast<const char*>(&s), sizeof(s));
    }
    if (!symbols.empty()) {
      add(".symtab", SHT_SYMTAB, table, 0, sizeof(Elf64_Sym), 3);
      sections.back().sh_info = 1;
      add(".strtab", SHT_STRTAB, names, 0, 0, 0);
    }
    if (!build_id.empty()) {
      const Elf64_Nhdr head{4, static_cast<Elf64_Word>(build_id.size()), NT_GNU_BUILD_ID};
      std::string note(reinterpret_cast<const char*>(&head), sizeof(head));
      note += std::string("GNU\0", 4) + build_id + std::string((4 - build_id.size() % 4) % 4, '\0');
      add(".note.gnu.build-id", SHT_NOTE, note, 0, 0, 0);
      sections.back().sh_flags = SHF_ALLOC;
      sections.back().sh_addralign = 4;
    }
    const auto names_index = static_cast<std::uint16_t>(sections.size());
    section_names += ".shstrtab";
    section_names += '\0';
    add(".shstrtab", SHT_STRTAB, section_names, 0, 0, 0);
    sections.back().sh_name = static_cast<Elf64_Word>(section_names.find(".shstrtab"));
    file.resize((file.size() + 7) / 8 * 8);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_shoff = file.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = has_segment ? 1 : 0;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(sections.size());
    header.e_shstrndx = names_index;
    std::memcpy(file.data(), &header, sizeof(header));
    std::memcpy(file.data() + sizeof(header), &segment, sizeof(segment));
    for (const Elf64_Shdr& s : sections)
      file.append(reinterpret_cast<const char*>(&s), sizeof(s));
    return file;
  }
};

// Overwrites a field of a file.
template <class T>
void patch(std::string& file, std::size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof(T));
}

} // namespace prof::test
