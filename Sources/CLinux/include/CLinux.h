// Linux facilities that Swift cannot import: namespaces, packet sockets, entering namespaces before
// the first Swift thread starts, and crashes that end only one thread.
#ifndef HANDOVER_CLINUX_H
#define HANDOVER_CLINUX_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Unless documented differently, functions return 0 or a non-negative value on success, and -errno
// on failure.

/// Moves the calling thread into a new network namespace.
int handover_unshare_network(void);

/// Moves the calling thread into the network namespace that a descriptor refers to.
int handover_enter_network(int descriptor);

/// Opens the network namespace of the calling thread; the descriptor is close-on-exec.
int handover_open_network(void);

/// Returns the inode number of the network namespace that a descriptor refers to, or of the calling
/// thread's namespace if the descriptor is negative. Returns 0 if the number cannot be read.
uint64_t handover_network_identity(int descriptor);

/// Opens a socket for raw frames of an interface in the calling thread's namespace, or of all its
/// interfaces if `interface` is 0. With `virtual_header`, frames carry a virtio header, which
/// preserves large segments and partial checksums.
int handover_packet_socket(unsigned interface, int virtual_header);

/// Reads a frame from a packet socket into `room`, and sets the interface that received or sent it.
/// Longer frames are truncated. Returns the length, or -errno.
int64_t handover_receive_frame(int descriptor, void *room, size_t length, unsigned *interface);

/// Sends a frame from a packet socket through an interface. Returns the length, or -errno.
int64_t handover_send_frame(int descriptor, const void *frame, size_t length, unsigned interface);

/// Excludes outgoing frames of this host from what a packet socket reads.
int handover_ignore_outgoing(int descriptor);

/// Two connected descriptors. A pipe is read from the first and written to the second.
typedef struct {
  /// 0, or -errno; the descriptors have no meaning then.
  int result;
  int first;
  int second;
} handover_ends;

/// Creates a pipe whose ends are close-on-exec and non-blocking.
handover_ends handover_pipe(void);

/// Creates a pipe whose ends are close-on-exec and blocking, for programs that inherit one of them.
handover_ends handover_blocking_pipe(void);

/// Accepts the next connection of a listening socket; it is non-blocking and close-on-exec.
int handover_accept(int listener);

/// Creates a file from a template that ends with XXXXXX; the descriptor is close-on-exec. Returns
/// -1 and sets errno on failure.
int handover_temporary_file(char *template);

/// Creates a pair of connected sockets with blocking ends.
handover_ends handover_socket_pair(void);

/// Waits until a descriptor is ready, for at most `microseconds` (negative: no limit). Sets
/// `revents` of each descriptor as poll does. Returns the number of descriptors that are ready.
int handover_poll(struct pollfd *descriptors, unsigned count, int64_t microseconds);

/// Returns the time of the monotonic clock in microseconds.
int64_t handover_monotonic_microseconds(void);

/// Returns the wall-clock time in microseconds since 1970.
int64_t handover_wall_microseconds(void);

/// The result of the constructor that enters namespaces.
typedef struct {
  /// 0: no namespaces were requested. 1: the requested namespaces were entered. 2: it failed.
  int state;
  /// Whether the process also entered a user namespace.
  int entered_user;
  /// The errno of the failed call, or 0.
  int failed_errno;
  /// The errno if no mount namespace could be created, or else 0.
  int mount_errno;
  /// The number of sockets in the file system that were covered.
  int covered_sockets;
  /// The number of sockets, or of folders that may contain sockets, that were not covered.
  int open_sockets;
} handover_entry;

/// Returns the result of the constructor, which ran before the first Swift thread started.
handover_entry handover_namespace_entry(void);

/// Returns the call of the constructor that failed, or NULL if none failed.
const char *handover_failed_entry_call(void);

/// A program to start.
typedef struct {
  /// The name of the program, which is looked up in PATH, and its arguments; they end with NULL.
  char *const *arguments;
  /// The environment of the program, which ends with NULL.
  char *const *environment;
  /// The descriptors that become 0, 1 and 2; negative ones are inherited. The program has no
  /// others.
  int input, output, error;
} handover_program;

/// Starts a program in the namespaces of the calling thread. If `own_group` is set, the child leads
/// a new process group. All signal handlers are reset to their defaults in the child. Returns the
/// process ID, or -errno.
pid_t handover_spawn(const handover_program *program, int own_group);

/// A message on the control socket of a process tree, in either direction.
typedef struct {
  int kind;
  int value;
} handover_tree_message;

/// The kinds of messages.
enum {
  /// From the tree: the program is running.
  HANDOVER_TREE_STARTED = 1,
  /// From the tree: the program cannot be started; the value is the errno.
  HANDOVER_TREE_FAILED = 2,
  /// From the tree: the program has ended; the value is its status as returned by waitpid.
  HANDOVER_TREE_ENDED = 3,
  /// From the tree: an order was carried out.
  HANDOVER_TREE_DONE = 4,
  /// From the tree: a namespace of this kind cannot be created; the value is the errno.
  HANDOVER_TREE_NO_NAMESPACE = 5,
  /// To the tree: send a signal to all processes.
  HANDOVER_TREE_SIGNAL_ALL = 6,
  /// To the tree: send a signal to the process group of the program.
  HANDOVER_TREE_SIGNAL_GROUP = 7,
};

/// A program that runs under a keeper process.
typedef struct {
  /// The process ID of the keeper, or -errno.
  pid_t keeper;
  /// The control socket, if the keeper was started.
  int control;
} handover_tree;

/// Starts a program as the leader of a process group, under a keeper process. When the other end of
/// the control socket is closed, for example because this process died, the keeper terminates the
/// program with all its descendants and ends.
///
/// With `kind` 0 the keeper is the first process of a PID namespace. With `kind` 1 that namespace
/// is inside a new user namespace. With `kind` 2 there is no namespace, and the keeper searches for
/// the descendants. All signal handlers are reset to their defaults in the program.
handover_tree handover_start_tree(const handover_program *program, int kind);

/// The result of waiting for a message.
typedef struct {
  /// 1, or 0 if no message arrived, or -EPIPE if the keeper has ended.
  int result;
  /// The message if the result is 1.
  handover_tree_message message;
} handover_tree_reading;

/// Receives the next message of a tree, and waits at most `microseconds` (negative: no limit).
handover_tree_reading handover_tree_receive(int control, int64_t microseconds);

/// Sends an order to a tree.
int handover_tree_send(int control, int kind, int value);

/// Mounts the file `with` over another file in the mount namespace of the calling thread.
int handover_cover_file(const char *file, const char *with);

/// The options that a program has set on one of its TCP sockets. Times are in seconds, except for
/// `user_timeout`, which is in milliseconds.
typedef struct {
  uint32_t inode;
  int is_known;
  int user_timeout;
  int keepalive;
  int keepalive_idle;
  int keepalive_interval;
  int keepalive_count;
} handover_socket_options;

/// Finds sockets by inode number among the processes of a network namespace, and reads their
/// options.
int handover_find_socket_options(int network, handover_socket_options *options, int count);

/// Returns the number of processes in a network namespace.
int handover_count_processes(int network);

/// Opens a pseudo-terminal of 80 columns and 24 lines: our end and the program's end.
handover_ends handover_open_terminal(void);

/// Replaces this process by a new instance of the same executable with these arguments. Returns
/// only on failure.
int handover_execute_self(char *const *arguments, char *const *environment);

/// Installs handlers that write one byte with the signal number to a descriptor. They handle every
/// SIGINT and SIGTERM, and a SIGHUP if it is the first signal and is not ignored. They also handle
/// the first fault (SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV) of a thread without a guard;
/// that thread is then suspended forever.
int handover_listen(int descriptor);

/// Marks the calling thread as the reader of those bytes: its own faults end the process with
/// status 3.
void handover_become_listener(void);

/// The state that limits the faults of a thread to that thread.
typedef struct handover_guard handover_guard;

/// Sets the name of the calling thread (at most 15 bytes), which other programs can read.
int handover_name_thread(const char *name);

/// Creates a guard that writes a byte to `wakeup` after a fault. Returns NULL if there is no
/// memory.
handover_guard *handover_make_guard(int wakeup);

/// Guards the calling thread: a fault, including a stack overflow, ends only this thread.
int handover_enter_guard(handover_guard *guard);

/// Ends the protection that `handover_enter_guard` began; called by the same thread.
void handover_leave_guard(handover_guard *guard);

/// Returns the number of the signal that ended the guarded thread, or 0 if there was none.
int handover_guarded_fault(handover_guard *guard);

/// Returns the guard that the calling thread has or serves, for its helper threads, or NULL. The
/// returned guard is never freed.
handover_guard *handover_lend_guard(void);

/// Makes the calling thread a helper of a guard's thread, or of no thread if `guard` is NULL. A
/// fault of the helper, including a stack overflow, ends the helper, and the guard reports it.
/// Without a guard the faulting thread is suspended.
void handover_serve_guard(handover_guard *guard);

/// Returns the number of the signal that ended a helper of the guarded thread, or 0 if there was
/// none.
int handover_helper_fault(handover_guard *guard);

/// Frees the guard of a thread that has ended, unless the guard was lent.
void handover_free_guard(handover_guard *guard);

/// Raises a signal on the calling thread, or overflows its stack if the number is 0.
void handover_fault(int number);

#endif
