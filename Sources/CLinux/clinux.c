#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
// A process that acts as a device must never reach a real network. With HANDOVER_NETNS=1 the
// process enters an empty network namespace before any other thread exists, so a socket that any
// thread creates by mistake fails with ENETUNREACH. Unprivileged users also set HANDOVER_USERNS=1.
// A process with a second thread cannot enter a user namespace, and under a test runner `main`
// would be too late.

static handover_entry entry;
static const char *failed_entry_call;

handover_entry handover_namespace_entry(void) { return entry; }

const char *handover_failed_entry_call(void) { return failed_entry_call; }

static void entry_failed(const char *call) {
  entry.state = 2;
  failed_entry_call = call;
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

// Maps root inside the namespace to the current user outside.
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

// MARK: Sockets with a path
//
// A socket in the file system does not belong to a network namespace, so its server is reachable
// from a lab. That server may look up names or start programs outside of the lab. Therefore each
// socket that exists when the lab is entered is covered individually, which leaves all other files
// visible.

enum { deepest_folder = 6, most_entries = 100000, most_sockets = 512 };

static int entries_seen;

static void cover(const char *path) {
  if (entry.covered_sockets < most_sockets && mount("/dev/null", path, NULL, MS_BIND, NULL) == 0)
    entry.covered_sockets++;
  else
    entry.open_sockets++;
}

// Whether a folder is mounted from a user-space or network file system, which may never respond.
static int is_foreign(const char *mounts, const char *path) {
  size_t length = strlen(path);
  for (const char *line = mounts; line != NULL && *line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    const char *field = line;
    for (int skipped = 0; skipped < 4 && field != NULL; skipped++) {
      field = strchr(field, ' ');
      if (field != NULL) field++;
    }
    if (field == NULL) return 0;
    if (strncmp(field, path, length) != 0 || field[length] != ' ') continue;
    const char *kind = strstr(field, " - ");
    if (kind == NULL) return 0;
    static const char *const foreign[] = {"fuse", "nfs", "cifs", "smb", "9p", "autofs", "ceph"};
    for (size_t place = 0; place < sizeof foreign / sizeof *foreign; place++)
      if (strncmp(kind + 3, foreign[place], strlen(foreign[place])) == 0) return 1;
  }
  return 0;
}

static void cover_sockets_in(const char *folder, const char *mounts, int depth) {
  if (is_foreign(mounts, folder)) return;
  DIR *entries = opendir(folder);
  if (entries == NULL) return;
  struct dirent *found;
  while ((found = readdir(entries)) != NULL && entries_seen++ < most_entries) {
    char path[PATH_MAX];
    if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0) continue;
    if (snprintf(path, sizeof path, "%s/%s", folder, found->d_name) >= (int)sizeof path) continue;
    if (found->d_type == DT_SOCK) cover(path);
    if (found->d_type == DT_DIR && depth > 0) cover_sockets_in(path, mounts, depth - 1);
  }
  closedir(entries);
}

static void cover_sockets(void) {
  static char mounts[1 << 17];
  int descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
  ssize_t length = 0, count;
  while (descriptor >= 0 && length < (ssize_t)sizeof mounts - 1 &&
         (count = read(descriptor, mounts + length, sizeof mounts - 1 - (size_t)length)) > 0)
    length += count;
  if (descriptor >= 0) close(descriptor);
  // The folder of TMPDIR, to which the variable may lead through a symbolic link.
  const char *named = getenv("TMPDIR");
  char own[PATH_MAX];
  const char *const folders[] = {
      "/run", "/var/run", "/tmp", "/dev",
      named != NULL && named[0] == '/' && realpath(named, own) != NULL ? own : "/tmp"};
  for (size_t place = 0; place < sizeof folders / sizeof *folders; place++) {
    struct stat status;
    // If /var/run is a symbolic link, it leads to /run, which is scanned anyway.
    if (lstat(folders[place], &status) == 0 && S_ISDIR(status.st_mode))
      cover_sockets_in(folders[place], mounts, deepest_folder);
  }
  if (entries_seen >= most_entries) entry.open_sockets++;
}

// Containers mount /proc/sys read-only, but a lab changes settings of its network namespaces. The
// kernel allows the new mount only to root in the user namespace of the container. The other
// settings, which belong to the host, stay read-only.
static void make_settings_writable(void) {
  static const char *const settings = "/proc/sys/net";
  unsigned long options = MS_BIND | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  struct statvfs status;
  if (statvfs(settings, &status) == 0 && (status.f_flag & ST_RDONLY) != 0 &&
      mount(settings, settings, NULL, MS_BIND, NULL) == 0)
    mount(NULL, settings, NULL, options | MS_REMOUNT, NULL);
}

static void enter_mounts(void) {
  if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) {
    entry.mount_errno = errno;
    return;
  }
  make_settings_writable();
  cover_sockets();
}

// A network namespace shares the host's table of connections by default. That table has hundreds of
// thousands of slots, and each list of a lab's connections visits all of them. The setting of the
// creating namespace gives a new one its own table, so the process enters a second namespace. This
// table has room for 8,192 connections in TIME_WAIT. It is optional, because kernels before Linux
// 6.2 do not have the setting.
static int enter_network_namespace(void) {
  static const char *const setting = "/proc/sys/net/ipv4/tcp_child_ehash_entries";
  static const char *const slots = "16384";
  if (unshare(CLONE_NEWNET) != 0) return -1;
  enter_mounts();
  if (write_text(setting, slots) == 0 && unshare(CLONE_NEWNET) == 0) write_text(setting, slots);
  return 0;
}

__attribute__((constructor)) static void enter_namespaces(void) {
  if (!is_asked("HANDOVER_NETNS")) return;
  if (is_asked("HANDOVER_USERNS") && enter_user_namespace() != 0) return;
  if (enter_network_namespace() != 0) return entry_failed("unshare(CLONE_NEWNET)");
  // Tests need the loopback interface, and no packet can leave through it. This step also fails if
  // the namespace may not be configured.
  if (raise_loopback() != 0) return;
  entry.state = 1;
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
  // A larger buffer is optional, because the forced size requires a privilege on the host.
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

/// Returns two descriptors, or errno if the call that creates them failed.
static handover_ends ends_of(int result, const int ends[2]) {
  return (handover_ends){result == 0 ? 0 : -errno, ends[0], ends[1]};
}

handover_ends handover_pipe(void) {
  int ends[2] = {-1, -1};
  return ends_of(pipe2(ends, O_CLOEXEC | O_NONBLOCK), ends);
}

handover_ends handover_blocking_pipe(void) {
  int ends[2] = {-1, -1};
  return ends_of(pipe2(ends, O_CLOEXEC), ends);
}

int handover_accept(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int handover_temporary_file(char *template) { return mkostemp(template, O_CLOEXEC); }

handover_ends handover_socket_pair(void) {
  int ends[2] = {-1, -1};
  return ends_of(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ends);
}

int handover_poll(struct pollfd *descriptors, unsigned count, int64_t microseconds) {
  struct timespec limit = {microseconds / 1000000, microseconds % 1000000 * 1000};
  int result = ppoll(descriptors, count, microseconds < 0 ? NULL : &limit, NULL);
  return result < 0 ? -errno : result;
}

static int64_t microseconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t handover_monotonic_microseconds(void) { return microseconds_of(CLOCK_MONOTONIC); }

int64_t handover_wall_microseconds(void) { return microseconds_of(CLOCK_REALTIME); }

// MARK: Processes

pid_t handover_spawn(const handover_program *program, int own_group) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  const int wanted[3] = {program->input, program->output, program->error};
  for (int place = 0; place < 3; place++)
    if (wanted[place] >= 0) posix_spawn_file_actions_adddup2(&actions, wanted[place], place);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (own_group) flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(&attributes, flags);
  pid_t child = 0;
  int result = posix_spawnp(&child, program->arguments[0], &actions, &attributes,
                            program->arguments, program->environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return result == 0 ? child : -result;
}

// MARK: Trees of processes
//
// A keeper runs between this process and a program. If possible, the keeper is the first process of
// a PID namespace, so that no descendant of the program outlives it. The keeper ends when the other
// end of its control socket is closed, which the kernel does however this process ends.
// (PR_SET_PDEATHSIG would follow the thread that forked, and such threads end immediately here.)

static int tell_control(int control, int kind, int value) {
  handover_tree_message message = {kind, value};
  return send(control, &message, sizeof message, MSG_NOSIGNAL) == (ssize_t)sizeof message ? 0 : -1;
}

// Runs in the memory of the suspended keeper after vfork, so only system calls are allowed.
static void become_program(const handover_program *program, volatile int *failure) {
  const int wanted[3] = {program->input, program->output, program->error};
  for (int place = 0; place < 3; place++) {
    if (wanted[place] < 0) continue;
    int result = wanted[place] == place ? fcntl(place, F_SETFD, 0) : dup2(wanted[place], place);
    if (result < 0) goto failed;
  }
  // Libraries open descriptors without close-on-exec, such as the sockets of SwiftNIO.
  if (close_range(STDERR_FILENO + 1, ~0U, 0) != 0) goto failed;
  if (setpgid(0, 0) != 0) goto failed;
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(program->arguments[0], program->arguments, program->environment);
failed:
  *failure = errno;
  _exit(127);
}

// Signals the children of a process that the kernel lists, and their descendants. Orphans are
// reparented to the keeper. The list omits children that were started by a thread other than the
// first; they are found only after their parent has ended.
static void signal_children(pid_t parent, int number, int depth) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ssize_t length = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  if (length <= 0) return;
  text[length] = 0;
  for (char *place = text, *end; *place; place = *end ? end + 1 : end) {
    long child = strtol(place, &end, 10);
    // A truncated number is not the ID of a known process.
    if (end == place || (*end == 0 && length == (ssize_t)sizeof text - 1)) return;
    kill((pid_t)child, number);
    if (depth > 0) signal_children((pid_t)child, number, depth - 1);
  }
}

enum { deepest_child = 16 };

// Without a namespace: kills descendants until none is left, for a limited number of rounds.
static void end_children(pid_t group) {
  enum { rounds = 2000 };
  for (int round = 0; round < rounds; round++) {
    if (group > 0) kill(-group, SIGKILL);
    signal_children((pid_t)syscall(SYS_getpid), SIGKILL, 0);
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
      // The process ID can be reused by another process from now on.
      if (ended == group) group = 0;
    if (ended < 0 && errno == ECHILD) return;
    poll(NULL, 0, 1);
  }
}

static void pass_on(const handover_tree_message *order, int is_namespace, pid_t program) {
  if (order->kind == HANDOVER_TREE_SIGNAL_ALL) {
    if (is_namespace) {
      kill(-1, order->value);
      return;
    }
    // Processes that left the group are found through their parents.
    signal_children((pid_t)syscall(SYS_getpid), order->value, deepest_child);
  }
  if (program > 0) kill(-program, order->value);
}

static void map_identity(int control, unsigned user, unsigned group) {
  char map[64];
  int failed = write_text("/proc/self/setgroups", "deny") != 0;
  snprintf(map, sizeof map, "%u %u 1", user, user);
  failed = failed || write_text("/proc/self/uid_map", map) != 0;
  snprintf(map, sizeof map, "%u %u 1", group, group);
  failed = failed || write_text("/proc/self/gid_map", map) != 0;
  if (!failed) return;
  tell_control(control, HANDOVER_TREE_NO_NAMESPACE, errno);
  _exit(1);
}

__attribute__((noreturn)) static void keep(const handover_program *program, int control,
                                           int flags, unsigned user, unsigned group) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL);
  setpgid(0, 0);
  if (flags & CLONE_NEWUSER) map_identity(control, user, group);
  if (flags & CLONE_NEWNS) {
    // Mounts here must not affect other processes. If /proc cannot be mounted, the old view of the
    // processes remains.
    mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL);
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  }
  int is_namespace = (flags & CLONE_NEWPID) != 0;
  if (!is_namespace) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  volatile int failure = 0;
  pid_t child = vfork();
  if (child == 0) become_program(program, &failure);
  if (child < 0) failure = errno;
  // The keeper must not hold descriptors of its parent, especially not the other end of a control
  // socket.
  dup2(control, 0);
  close_range(1, ~0U, 0);
  control = 0;
  if (failure != 0) {
    tell_control(control, HANDOVER_TREE_FAILED, failure);
    _exit(127);
  }
  tell_control(control, HANDOVER_TREE_STARTED, 0);
  int children = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  pid_t running = child;
  for (;;) {
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != running) continue;
      running = 0;
      tell_control(control, HANDOVER_TREE_ENDED, status);
    }
    struct pollfd polled[2] = {{control, POLLIN, 0}, {children, POLLIN, 0}};
    poll(polled, 2, -1);
    struct signalfd_siginfo information;
    while (read(children, &information, sizeof information) > 0) {
    }
    if (polled[0].revents == 0) continue;
    handover_tree_message order;
    ssize_t length = recv(control, &order, sizeof order, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (length != (ssize_t)sizeof order) break;
    pass_on(&order, is_namespace, running);
    tell_control(control, HANDOVER_TREE_DONE, order.value);
  }
  // In a namespace, the kernel kills all other processes when the first process ends.
  if (!is_namespace) end_children(running);
  _exit(0);
}

static pid_t fork_keeper(const handover_program *program, int control, int flags) {
  unsigned user = geteuid(), group = getegid();
  // The memory is a copy without the other threads, so only system calls are allowed from here.
  pid_t keeper = (pid_t)syscall(SYS_clone, (unsigned long)flags | SIGCHLD, 0, 0, 0, 0);
  if (keeper == 0) keep(program, control, flags, user, group);
  return keeper < 0 ? -errno : keeper;
}

handover_tree handover_start_tree(const handover_program *program, int kind) {
  static const int flags[] = {CLONE_NEWPID | CLONE_NEWNS,
                              CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS, 0};
  int ends[2];
  if (kind < 0 || kind > 2) return (handover_tree){-EINVAL, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return (handover_tree){-errno, -1};
  sigset_t all, before;
  sigfillset(&all);
  // A signal handler of this process must not run in the keeper.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t keeper = fork_keeper(program, ends[1], flags[kind]);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (keeper >= 0) return (handover_tree){keeper, ends[0]};
  close(ends[0]);
  return (handover_tree){keeper, -1};
}

/// Waits until a descriptor is readable, for at most `microseconds` (negative: no limit). Returns
/// the number of readable descriptors, or -errno.
static int wait_for_message(int control, int64_t microseconds) {
  struct pollfd polled = {control, POLLIN, 0};
  int64_t end = handover_monotonic_microseconds() + microseconds;
  int64_t rest = microseconds;
  // A signal to this process interrupts the wait, so continue with the remaining time.
  for (;;) {
    int result = handover_poll(&polled, 1, microseconds < 0 ? -1 : rest);
    if (result != -EINTR) return result;
    rest = end - handover_monotonic_microseconds();
    if (rest < 0) rest = 0;
  }
}

handover_tree_reading handover_tree_receive(int control, int64_t microseconds) {
  handover_tree_reading reading = {wait_for_message(control, microseconds), {0, 0}};
  if (reading.result <= 0) return reading;
  ssize_t length = recv(control, &reading.message, sizeof reading.message, MSG_DONTWAIT);
  if (length == (ssize_t)sizeof reading.message)
    reading.result = 1;
  else if (length < 0 && (errno == EAGAIN || errno == EINTR))
    reading.result = 0;
  else
    reading.result = -EPIPE;
  return reading;
}

int handover_tree_send(int control, int kind, int value) {
  return tell_control(control, kind, value) == 0 ? 0 : -errno;
}

int handover_execute_self(char *const *arguments, char *const *environment) {
  execve("/proc/self/exe", arguments, environment);
  return -errno;
}
