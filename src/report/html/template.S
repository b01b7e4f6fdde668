// The built page template (viewer/), as bytes between two symbols.
    .section .rodata.prof_page_template,"a",%progbits
    .global prof_page_template_begin
    .global prof_page_template_end
    .hidden prof_page_template_begin
    .hidden prof_page_template_end
    .balign 16
prof_page_template_begin:
    .incbin "page.html"
prof_page_template_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
