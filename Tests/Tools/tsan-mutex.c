// Shows the thread sanitizer what the locks of Swift's Synchronization module order.
//
// A Mutex that is contended is handed over by the kernel (FUTEX_LOCK_PI): no instruction that the
// sanitizer sees takes it or gives it away, so everything a Mutex guards looks like a race then.
// Loaded before the tests, this tells the sanitizer of every such hand-over. It hides nothing else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>

// The sanitizer's; absent in programs that run without it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef long system_call(long number, long a, long b, long c, long d, long e, long f);

long syscall(long number, long a, long b, long c, long d, long e, long f) {
  static system_call *real;
  if (real == NULL) real = (system_call *)dlsym(RTLD_NEXT, "syscall");
  long command = number == SYS_futex ? b & FUTEX_CMD_MASK : -1;
  if (command == FUTEX_UNLOCK_PI && __tsan_release) __tsan_release((void *)a);
  long result = real(number, a, b, c, d, e, f);
  int was_taken = (command == FUTEX_LOCK_PI || command == FUTEX_TRYLOCK_PI) && result == 0;
  if (was_taken && __tsan_acquire) __tsan_acquire((void *)a);
  return result;
}
