// Preloaded into a server: its clock is off by as many seconds as the file says that SHIFTED_CLOCK names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static long shift(void) {
  const char* const name = getenv("SHIFTED_CLOCK");
  FILE* const file = name != NULL ? fopen(name, "r") : NULL;
  long seconds = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
  fclose(file);
  return seconds;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  static int (*real)(struct timeval* restrict, void* restrict);
  if (real == NULL) real = (int (*)(struct timeval* restrict, void* restrict))dlsym(RTLD_NEXT, "gettimeofday");
  const int result = real(now, zone);
  now->tv_sec += shift();
  return result;
}
