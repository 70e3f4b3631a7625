#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Faults and signals
//
// A crash of one thread must not end the whole process. The crashed thread is never resumed: it
// ends immediately, and its resources are never released, so other threads must not depend on them.
// The handlers use only async-signal-safe operations: they access atomics, write a byte, and end a
// thread or the process.

enum { alternate_stack_size = 1 << 16 };

struct handover_guard {
  int fault;
  // The fault of a helper of the guarded thread.
  int helper_fault;
  int wakeup;
  // Whether helper threads may still hold a pointer to the guard, for an unknown time.
  int is_lent;
  void *stack;
};

static __thread handover_guard *own_guard;
// The guard of the thread that the calling thread helps.
static __thread handover_guard *served_guard;
// Whether the calling thread is the one that reads reported signals.
static __thread int is_listener;
static int listener = -1;
static int unguarded_fault;
static int was_signalled;

static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV};

static void tell(int descriptor, int number) {
  unsigned char byte = (unsigned char)number;
  while (write(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

static void end_thread(void) {
  for (;;) syscall(SYS_exit, 0);
}

static void take_fault(int number, siginfo_t *information, void *context) {
  (void)information;
  (void)context;
  handover_guard *guard = own_guard;
  if (guard != NULL) {
    __atomic_store_n(&guard->fault, number, __ATOMIC_RELEASE);
    tell(guard->wakeup, 0);
    end_thread();
  }
  if (served_guard != NULL) {
    __atomic_store_n(&served_guard->helper_fault, number, __ATOMIC_RELEASE);
    tell(served_guard->wakeup, 0);
    end_thread();
  }
  // If the reporting thread itself faults, no thread is left to report the fault.
  if (is_listener || listener < 0) _exit(3);
  if (__atomic_exchange_n(&unguarded_fault, number, __ATOMIC_ACQ_REL) == 0) tell(listener, number);
  for (;;) pause();
}

static void take_signal(int number) {
  // A closed terminal sends SIGHUP twice (from the shell and from the kernel), and a session that
  // ends sends SIGHUP after SIGTERM. Such a SIGHUP must not count as a second request by the user.
  int is_second = __atomic_exchange_n(&was_signalled, 1, __ATOMIC_ACQ_REL);
  if (is_second && number == SIGHUP) return;
  int error = errno;
  tell(listener, number);
  errno = error;
}

static int use_alternate_stack(void **room) {
  void *stack = mmap(NULL, alternate_stack_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -errno;
  stack_t alternate;
  memset(&alternate, 0, sizeof alternate);
  alternate.ss_sp = stack;
  alternate.ss_size = alternate_stack_size;
  if (sigaltstack(&alternate, NULL) != 0) {
    int error = errno;
    munmap(stack, alternate_stack_size);
    return -error;
  }
  *room = stack;
  return 0;
}

static void give_back(void) {
  stack_t none;
  memset(&none, 0, sizeof none);
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, NULL);
}

static pthread_key_t helper_stack;
static pthread_once_t helper_once = PTHREAD_ONCE_INIT;

static void free_helper_stack(void *stack) {
  give_back();
  munmap(stack, alternate_stack_size);
}

static void make_helper_key(void) { pthread_key_create(&helper_stack, free_helper_stack); }

int handover_listen(int descriptor) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigfillset(&action.sa_mask);
  listener = descriptor;
  action.sa_flags = SA_RESTART;
  action.sa_handler = take_signal;
  if (sigaction(SIGINT, &action, NULL) != 0 || sigaction(SIGTERM, &action, NULL) != 0)
    return -errno;
  // If SIGHUP is ignored, as under nohup, it stays ignored.
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) != 0) return -errno;
  if (hangup.sa_handler != SIG_IGN && sigaction(SIGHUP, &action, NULL) != 0) return -errno;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = take_fault;
  for (unsigned place = 0; place < sizeof faults / sizeof faults[0]; place++)
    if (sigaction(faults[place], &action, NULL) != 0) return -errno;
  // The parent process may have left these signals blocked.
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGINT);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGHUP);
  for (unsigned place = 0; place < sizeof faults / sizeof faults[0]; place++)
    sigaddset(&wanted, faults[place]);
  int error = pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
  if (error != 0) return -error;
  // The stack of the calling thread can overflow too. Its alternate stack is never freed.
  void *stack;
  return use_alternate_stack(&stack);
}

int handover_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

void handover_become_listener(void) { is_listener = 1; }

handover_guard *handover_make_guard(int wakeup) {
  handover_guard *guard = calloc(1, sizeof *guard);
  if (guard != NULL) guard->wakeup = wakeup;
  return guard;
}

int handover_enter_guard(handover_guard *guard) {
  int result = use_alternate_stack(&guard->stack);
  if (result == 0) own_guard = guard;
  return result;
}

void handover_leave_guard(handover_guard *guard) {
  own_guard = NULL;
  give_back();
  munmap(guard->stack, alternate_stack_size);
  guard->stack = NULL;
}

int handover_guarded_fault(handover_guard *guard) {
  return __atomic_load_n(&guard->fault, __ATOMIC_ACQUIRE);
}

handover_guard *handover_lend_guard(void) {
  handover_guard *guard = own_guard != NULL ? own_guard : served_guard;
  if (guard != NULL) __atomic_store_n(&guard->is_lent, 1, __ATOMIC_RELEASE);
  return guard;
}

void handover_serve_guard(handover_guard *guard) {
  served_guard = guard;
  // Without a listener, faults end the process as usual.
  if (listener < 0) return;
  pthread_once(&helper_once, make_helper_key);
  void *stack;
  if (pthread_getspecific(helper_stack) != NULL || use_alternate_stack(&stack) != 0) return;
  if (pthread_setspecific(helper_stack, stack) != 0) free_helper_stack(stack);
}

int handover_helper_fault(handover_guard *guard) {
  return __atomic_load_n(&guard->helper_fault, __ATOMIC_ACQUIRE);
}

void handover_free_guard(handover_guard *guard) {
  if (__atomic_load_n(&guard->is_lent, __ATOMIC_ACQUIRE)) return;
  if (guard->stack != NULL) munmap(guard->stack, alternate_stack_size);
  free(guard);
}

// The array prevents the compiler from turning the recursion into a loop.
__attribute__((noinline)) static int overflow(volatile char *below) {
  volatile char room[4096];
  room[0] = *below;
  return overflow(room) + room[0];
}

void handover_fault(int number) {
  volatile char first = 0;
  switch (number) {
    case 0: overflow(&first); break;
    case SIGILL: __builtin_trap();
    case SIGSEGV: *(volatile int *)8 = 1; break;
    case SIGABRT: abort();
    default: raise(number);
  }
}
