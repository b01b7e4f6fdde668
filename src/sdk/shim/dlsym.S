/* dlsym, seen by every program that has the shim preloaded. It tells the shim which symbol is asked for and then jumps to the
 * real one with the caller's return address in place, because RTLD_NEXT and RTLD_DEFAULT depend on who calls. */
#if defined(__x86_64__)
    .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    endbr64
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    sub $8, %rsp
    .cfi_adjust_cfa_offset 8
    call prof_shim_on_dlsym
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size dlsym, .-dlsym

#endif
    .section .note.GNU-stack,"",@progbits
