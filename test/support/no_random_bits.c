// Preloaded into a server: while the file that NO_RANDOM_BITS names exists, the system has no random bits to give.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

// OpenSSL's, which pg_strong_random asks.
int RAND_bytes(unsigned char* buffer, int bytes) {
  static int (*real)(unsigned char*, int);
  const char* const file = getenv("NO_RANDOM_BITS");
  if (file != NULL && access(file, F_OK) == 0) return 0;
  if (real == NULL) real = (int (*)(unsigned char*, int))dlsym(RTLD_NEXT, "RAND_bytes");
  return real(buffer, bytes);
}
