/* A disk whose flush takes longer: preloaded into a server, it makes each fdatasync() wait for so many microseconds more
 * as SLOW_FLUSH says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int fdatasync(int file) {
  int (*const flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  const char *const wait = getenv("SLOW_FLUSH");
  const long microseconds = wait ? atol(wait) : 0;
  const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  const int result = flush(file);
  nanosleep(&time, NULL);
  return result;
}
