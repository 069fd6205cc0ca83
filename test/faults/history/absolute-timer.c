/* Prints the time, in s, and in a second line whether an absolute timer of the monotonic clock that is due has been heard within 10 s. */
#include <poll.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>

int main(void) {
  const struct itimerspec due = {.it_value = {.tv_nsec = 1}};
  struct pollfd timer = {.fd = timerfd_create(CLOCK_MONOTONIC, 0), .events = POLLIN};
  int set = timerfd_settime(timer.fd, TFD_TIMER_ABSTIME, &due, NULL);
  printf("%ld\n%s\n", (long)time(NULL), set == 0 && poll(&timer, 1, 10000) == 1 ? "heard" : "not heard");
  return 0;
}
