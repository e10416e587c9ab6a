// SPDX-License-Identifier: Apache-2.0
// A library to be preloaded: the wall clock of its process is off by what a file says, in nanoseconds, and follows the
// file at once. The monotonic clock stays as it is, and waits until a wall clock time last as long as they should.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL
// No machine is up for thirty years, so what is larger is no time of the monotonic clock.
#define LEAST_WALL_CLOCK BILLION

static const volatile int64_t nothing = 0;
static const volatile int64_t *offset = &nothing;

static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

static void *find(const char *name, const char *version) {
  void *found = dlvsym(RTLD_NEXT, name, version);
  return found ? found : dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void start(void) {
  real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  // The oldest one of that name is for another kind of condition variable.
  real_timedwait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))find(
      "pthread_cond_timedwait", "GLIBC_2.3.2");
  const char *path = getenv("SOAK_CLOCK_FILE");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
    close(file);
  }
}

static struct timespec plus(struct timespec time, int64_t nanos) {
  int64_t all = time.tv_sec * BILLION + time.tv_nsec + nanos;
  return (struct timespec){.tv_sec = all / BILLION, .tv_nsec = all % BILLION};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_gettime) start();
  int result = real_gettime(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) *time = plus(*time, *offset);
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  if (!real_timedwait) start();
  struct timespec shifted = until->tv_sec > LEAST_WALL_CLOCK ? plus(*until, -*offset) : *until;
  return real_timedwait(condition, mutex, &shifted);
}
