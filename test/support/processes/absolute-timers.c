/*
 * Preloaded before libfaketime, which treats every absolute timer as a timer of the wall clock. Asio, which Galera's nodes use,
 * sets absolute timers of the monotonic clock, so the timers of a node whose clock was moved could stop firing.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
  return syscall(SYS_timerfd_settime, timer, flags, value, old);
}
