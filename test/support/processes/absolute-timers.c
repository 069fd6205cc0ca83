/*
 * Preloaded before libfaketime, which takes every absolute timer for one of the wall clock. Asio, on which Galera's nodes talk,
 * sets absolute timers of the monotonic clock: a node whose clock was moved could then stop hearing its timers.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  return syscall(SYS_timerfd_settime, timer, flags, value, old);
}
