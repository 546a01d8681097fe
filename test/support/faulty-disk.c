/*
 * Stands between a process and its disk (LD_PRELOAD). For files of a database (*.db, *.db-wal, *.db-journal) and the journal of a
 * gateway:
 *   FAULTY_DISK_BROKEN=FILE   while FILE exists, nothing can be made durable: fsync and fdatasync fail with EIO
 *   FAULTY_DISK_FULL=FILE     while FILE exists, nothing can be written: ENOSPC
 *   FAULTY_DISK_KILL_AT=N     the Nth write is not carried out: the process dies there as by a power cut
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int of_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, ".db") != NULL || strstr(path, "/gateway/journal") != NULL;
}

static int is(const char *fault, int fd) {
  const char *file = getenv(fault);
  return file && access(file, F_OK) == 0 && of_database(fd);
}

static void count_write(int fd) {
  static long writes = 0;
  const char *kill_at = getenv("FAULTY_DISK_KILL_AT");
  if (kill_at && of_database(fd) && ++writes == atol(kill_at)) kill(getpid(), SIGKILL);
}

#define SYNC(name)                                             \
  int name(int fd) {                                           \
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name);  \
    if (!is("FAULTY_DISK_BROKEN", fd)) return real(fd);        \
    errno = EIO;                                               \
    return -1;                                                 \
  }
SYNC(fsync)
SYNC(fdatasync)

#define PWRITE(name, offset)                                                                      \
  ssize_t name(int fd, const void *bytes, size_t count, offset at) {                              \
    ssize_t (*real)(int, const void *, size_t, offset) =                                          \
        (ssize_t(*)(int, const void *, size_t, offset))dlsym(RTLD_NEXT, #name);                   \
    count_write(fd);                                                                              \
    if (is("FAULTY_DISK_FULL", fd)) {                                                             \
      errno = ENOSPC;                                                                             \
      return -1;                                                                                  \
    }                                                                                             \
    return real(fd, bytes, count, at);                                                            \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
  ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (is("FAULTY_DISK_FULL", fd)) {
    errno = ENOSPC;
    return -1;
  }
  return real(fd, bytes, count);
}
