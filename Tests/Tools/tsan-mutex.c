// Informs the thread sanitizer about the ordering that the locks of Swift's Synchronization module
// create.
//
// A contended Mutex is locked and unlocked inside the library, by its own instructions or by the
// kernel. The sanitizer sees neither, so that every access under such a Mutex looks like a data
// race. This library is preloaded before the tests. It wraps the three functions of the
// Synchronization library that lock and unlock, and reports them to the sanitizer. It hides no
// other races.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Functions of the sanitizer, which are absent in programs that run without it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock_slowly(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
  SWIFT void (*lock)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slowly(SELF void *mutex) {
  SWIFT bool (*try_lock)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_locked = try_lock(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void unlock_slowly(SELF void *mutex) {
  SWIFT void (*unlock)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  unlock(mutex);
}
