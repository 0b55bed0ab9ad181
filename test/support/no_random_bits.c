// Preloaded into a server: while the file that NO_RANDOM_BITS names exists, the system has no random bits to give.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int dry(void) {
  const char* const file = getenv("NO_RANDOM_BITS");
  return file != NULL && access(file, F_OK) == 0;
}

// OpenSSL's, which pg_strong_random asks.
int RAND_bytes(unsigned char* buffer, int bytes) {
  static int (*real)(unsigned char*, int);
  if (dry()) return 0;
  if (real == NULL) real = (int (*)(unsigned char*, int))dlsym(RTLD_NEXT, "RAND_bytes");
  return real(buffer, bytes);
}

// Where a server was built without OpenSSL, it reads the system's file.
int open(const char* path, int flags, ...) {
  static int (*real)(const char*, int, ...);
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  if (strcmp(path, "/dev/urandom") == 0 && dry()) {
    errno = EIO;
    return -1;
  }
  if (real == NULL) real = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
  return real(path, flags, mode);
}
