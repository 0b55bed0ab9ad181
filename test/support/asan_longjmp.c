/* For tools/asan: PostgreSQL raises errors by siglongjmp, which leaves the frames of our code without their ends. AddressSanitizer
 * is told, as its own siglongjmp would tell it; without that it takes what stands there next for an overflow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdlib.h>

typedef void (*Jump)(struct __jmp_buf_tag *, int);

static _Noreturn void jump(const char *name, struct __jmp_buf_tag *where, int value) {
  void (*const forget_frames)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__asan_handle_no_return");
  if (forget_frames != NULL) forget_frames();
  ((Jump)dlsym(RTLD_NEXT, name))(where, value);
  abort();
}

void __longjmp_chk(struct __jmp_buf_tag *where, int value) { jump("__longjmp_chk", where, value); }
void siglongjmp(struct __jmp_buf_tag *where, int value) { jump("siglongjmp", where, value); }
void longjmp(struct __jmp_buf_tag *where, int value) { jump("longjmp", where, value); }
