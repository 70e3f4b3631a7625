#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// MARK: Namespaces

int handover_unshare_network(void) { return unshare(CLONE_NEWNET) == 0 ? 0 : -errno; }

int handover_enter_network(int descriptor) {
  return setns(descriptor, CLONE_NEWNET) == 0 ? 0 : -errno;
}

int handover_open_network(void) {
  int descriptor = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

uint64_t handover_network_identity(int descriptor) {
  struct stat status;
  int result = descriptor < 0 ? stat("/proc/thread-self/ns/net", &status)
                              : fstat(descriptor, &status);
  return result == 0 ? (uint64_t)status.st_ino : 0;
}

// MARK: The entry before main
//
// The process that plays a device must never be able to reach anything real. Whoever sets
// HANDOVER_NETNS=1 gets a process that lives in an empty network namespace before any other thread
// exists: a socket made by mistake on whatever thread then answers ENETUNREACH. Users without
// privileges set HANDOVER_USERNS=1 besides; a user namespace cannot be entered once a second thread
// runs, and under a test runner `main` is too late.

static handover_entry entry;

handover_entry handover_namespace_entry(void) { return entry; }

static void entry_failed(const char *call) {
  entry.state = 2;
  entry.failed_call = call;
  entry.failed_errno = errno;
}

static int write_text(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  ssize_t written = write(descriptor, text, strlen(text));
  int error = errno;
  close(descriptor);
  errno = error;
  return written < 0 ? -1 : 0;
}

// Root inside is whoever the user is outside.
static int enter_user_namespace(void) {
  unsigned user = geteuid(), group = getegid();
  char map[64];
  if (unshare(CLONE_NEWUSER) != 0) return entry_failed("unshare(CLONE_NEWUSER)"), -1;
  if (write_text("/proc/self/setgroups", "deny") != 0)
    return entry_failed("write(/proc/self/setgroups)"), -1;
  snprintf(map, sizeof map, "0 %u 1", user);
  if (write_text("/proc/self/uid_map", map) != 0)
    return entry_failed("write(/proc/self/uid_map)"), -1;
  snprintf(map, sizeof map, "0 %u 1", group);
  if (write_text("/proc/self/gid_map", map) != 0)
    return entry_failed("write(/proc/self/gid_map)"), -1;
  entry.entered_user = 1;
  return 0;
}

static int raise_loopback(void) {
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return entry_failed("socket(AF_INET)"), -1;
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (ioctl(descriptor, SIOCSIFFLAGS, &request) != 0) {
    entry_failed("ioctl(SIOCSIFFLAGS) of lo");
    close(descriptor);
    return -1;
  }
  close(descriptor);
  return 0;
}

static int is_asked(const char *name) {
  const char *value = getenv(name);
  return value != NULL && strcmp(value, "1") == 0;
}

__attribute__((constructor)) static void enter_namespaces(void) {
  if (!is_asked("HANDOVER_NETNS")) return;
  if (is_asked("HANDOVER_USERNS") && enter_user_namespace() != 0) return;
  if (unshare(CLONE_NEWNET) != 0) return entry_failed("unshare(CLONE_NEWNET)");
  // Without the loopback interface nothing could be tested; with it nothing can leave either. A
  // namespace that may not be configured shows here.
  if (raise_loopback() == 0) entry.state = 1;
}

// MARK: Sockets, pipes, time

int handover_packet_socket(unsigned interface, int virtual_header) {
  int one = 1, room = 8 << 20;
  int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  struct sockaddr_ll address;
  memset(&address, 0, sizeof address);
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = (int)interface;
  if ((virtual_header &&
       setsockopt(descriptor, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof one) != 0) ||
      bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    int error = errno;
    close(descriptor);
    return -error;
  }
  // More room is a wish; the forced size needs a privilege of the machine's own.
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  return descriptor;
}

int64_t handover_receive_frame(int descriptor, void *room, size_t length, unsigned *interface) {
  struct sockaddr_ll address;
  socklen_t size = sizeof address;
  ssize_t count = recvfrom(descriptor, room, length, 0, (struct sockaddr *)&address, &size);
  if (count < 0) return -errno;
  *interface = (unsigned)address.sll_ifindex;
  return count;
}

int64_t handover_send_frame(int descriptor, const void *frame, size_t length, unsigned interface) {
  struct sockaddr_ll address;
  memset(&address, 0, sizeof address);
  address.sll_family = AF_PACKET;
  address.sll_ifindex = (int)interface;
  ssize_t count =
      sendto(descriptor, frame, length, 0, (struct sockaddr *)&address, sizeof address);
  return count < 0 ? -errno : count;
}

int handover_ignore_outgoing(int descriptor) {
  int one = 1;
  return setsockopt(descriptor, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one) == 0
             ? 0
             : -errno;
}

int handover_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : -errno; }

int handover_blocking_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

int handover_socket_pair(int *ends) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

int handover_wait_readable(const int *descriptors, uint8_t *ready, unsigned count,
                           int64_t microseconds) {
  enum { most = 64 };
  struct pollfd polled[most];
  if (count > most) return -EINVAL;
  for (unsigned place = 0; place < count; place++) {
    polled[place].fd = descriptors[place];
    polled[place].events = POLLIN;
    polled[place].revents = 0;
  }
  struct timespec limit = {microseconds / 1000000, microseconds % 1000000 * 1000};
  int result = ppoll(polled, count, microseconds < 0 ? NULL : &limit, NULL);
  if (result < 0 && errno != EINTR) return -errno;
  for (unsigned place = 0; place < count; place++)
    ready[place] = result > 0 && polled[place].revents != 0;
  return result < 0 ? 0 : result;
}

int64_t handover_monotonic_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// MARK: Processes

int handover_spawn(pid_t *child, char *const *arguments, char *const *environment, int input,
                   int output, int error, int own_group) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  const int wanted[3] = {input, output, error};
  for (int place = 0; place < 3; place++)
    if (wanted[place] >= 0) posix_spawn_file_actions_adddup2(&actions, wanted[place], place);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (own_group) flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(&attributes, flags);
  int result = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return -result;
}

pid_t handover_guard_group(pid_t group, int *hold) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  pid_t guard = fork();
  if (guard == 0) {
    // Other threads of the parent are not here: nothing but system calls from now on. The guard
    // must hold nothing of its parent's, least of all the other end of the pipe.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setpgid(0, 0);
    dup2(ends[0], 0);
    close_range(1, ~0U, 0);
    char byte;
    while (read(0, &byte, 1) < 0 && errno == EINTR) {
    }
    kill(-group, SIGKILL);
    _exit(0);
  }
  int error = errno;
  close(ends[0]);
  if (guard < 0) {
    close(ends[1]);
    return -error;
  }
  *hold = ends[1];
  return guard;
}

int handover_execute_self(char *const *arguments, char *const *environment) {
  execve("/proc/self/exe", arguments, environment);
  return -errno;
}
