// What Linux offers and Swift cannot import: namespaces, packet sockets, the entry into namespaces
// before the first Swift thread starts, and faults that end one thread.
#ifndef HANDOVER_CLINUX_H
#define HANDOVER_CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// All functions answer 0 or a value that is not negative where they succeed, else -errno.

/// Takes the calling thread into a new network namespace.
int handover_unshare_network(void);

/// Takes the calling thread into the network namespace that a descriptor refers to.
int handover_enter_network(int descriptor);

/// A descriptor of the calling thread's network namespace; it is closed on exec.
int handover_open_network(void);

/// The inode number of the network namespace a descriptor refers to, or of the calling thread's
/// where the descriptor is negative; 0 where it cannot be told.
uint64_t handover_network_identity(int descriptor);

/// Opens a socket for raw frames of an interface of the calling thread's namespace, or with 0 for
/// those of every interface of it. With `virtual_header`
/// frames carry a virtio header, so that large segments and partial checksums survive.
int handover_packet_socket(unsigned interface, int virtual_header);

/// Reads a frame of a packet socket into `room` and tells the interface it came by; longer frames
/// are cut off. The length, or -errno.
int64_t handover_receive_frame(int descriptor, void *room, size_t length, unsigned *interface);

/// Sends a frame of a packet socket by an interface. The length, or -errno.
int64_t handover_send_frame(int descriptor, const void *frame, size_t length, unsigned interface);

/// Leaves frames that this side sends out of what a packet socket reads.
int handover_ignore_outgoing(int descriptor);

/// Makes a pipe whose ends are closed on exec and never block.
int handover_pipe(int ends[2]);

/// The same with ends that wait, for programs that are given one of them.
int handover_blocking_pipe(int *ends);

/// Takes the next connection of a socket that listens; it never blocks, and is closed on exec.
int handover_accept(int listener);

/// Makes a file that is closed on exec from a template that ends with XXXXXX. -1 with errno if that
/// fails.
int handover_temporary_file(char *template);

/// Makes two sockets that are connected to each other, with ends that wait.
int handover_socket_pair(int *ends);

/// Waits until one of the descriptors can be read, at most `microseconds` (negative: for ever).
/// Sets `ready[i]` to 1 where descriptor i can be read, has ended or failed, else to 0.
int handover_wait_readable(const int *descriptors, uint8_t *ready, unsigned count,
                           int64_t microseconds);

/// Microseconds of the monotonic clock.
int64_t handover_monotonic_microseconds(void);

/// What the constructor did, see the source: the state, the call that failed, and its errno.
typedef struct {
  /// 0: not asked to enter anything. 1: entered what was asked for. 2: failed.
  int state;
  /// Whether a user namespace was entered too.
  int entered_user;
  /// The call that failed; NULL where none did.
  const char *failed_call;
  /// Its errno.
  int failed_errno;
  /// The errno where there can be no mount namespace; 0 where there is one.
  int mount_errno;
  /// How many sockets in the file system were covered.
  int covered_sockets;
  /// How many sockets, or folders that may hold some, were not.
  int open_sockets;
} handover_entry;

/// What the constructor did before the first Swift thread started.
handover_entry handover_namespace_entry(void);

/// Starts a program on the calling thread's namespaces: `arguments` and `environment` end with
/// NULL, the first argument is looked up in PATH. The descriptors become 0, 1 and 2 of the child;
/// negative ones are inherited, and the child has no other descriptor. The child leads a new
/// process group if `own_group` is set.
/// Every signal is handled as by default in the child.
int handover_spawn(pid_t *child, char *const *arguments, char *const *environment, int input,
                   int output, int error, int own_group);

/// A program to be started with everything that it will start.
typedef struct {
  /// Its name, looked up in PATH, and its arguments; they end with NULL.
  char *const *arguments;
  /// Its environment; it ends with NULL.
  char *const *environment;
  /// What becomes 0, 1 and 2 of it; negative ones are inherited. It has no other descriptor.
  int input, output, error;
} handover_tree_program;

/// What is said on the control socket of a tree, in both directions.
typedef struct {
  int kind;
  int value;
} handover_tree_message;

/// The kinds of messages.
enum {
  /// From the tree: the program runs.
  HANDOVER_TREE_STARTED = 1,
  /// From the tree: the program cannot be started; the errno.
  HANDOVER_TREE_FAILED = 2,
  /// From the tree: the program has ended; its status as waitpid gives it.
  HANDOVER_TREE_ENDED = 3,
  /// From the tree: an order was carried out.
  HANDOVER_TREE_DONE = 4,
  /// From the tree: there can be no namespace of this kind; the errno.
  HANDOVER_TREE_NO_NAMESPACE = 5,
  /// To the tree: send a signal to everything.
  HANDOVER_TREE_SIGNAL_ALL = 6,
  /// To the tree: send a signal to the group of the program.
  HANDOVER_TREE_SIGNAL_GROUP = 7,
};

/// Starts a program as the leader of a process group, under a keeper that ends with everything the
/// program started as soon as nobody holds the control socket, however this process ended.
///
/// With `kind` 0 the keeper is the first process of a PID namespace; with 1 of one in a user
/// namespace of its own; with 2 there is none, and what the program started is looked for. Every
/// signal is handled as by default in the program. The number of the keeper, or -errno.
pid_t handover_start_tree(const handover_tree_program *program, int kind, int *control);

/// Takes the next message of a tree, waiting at most `microseconds` (negative: for ever). 1, or 0
/// where none has come; -EPIPE where the keeper is gone.
int handover_tree_receive(int control, int64_t microseconds, handover_tree_message *message);

/// Gives an order to a tree.
int handover_tree_send(int control, int kind, int value);

/// Shows the file `with` in the place of another one, in the mount namespace of the calling thread.
int handover_cover_file(const char *file, const char *with);

/// What a program asked of the kernel for one of its sockets of TCP; times are in seconds but for
/// the first, which is in milliseconds.
typedef struct {
  uint32_t inode;
  int is_known;
  int user_timeout;
  int keepalive;
  int keepalive_idle;
  int keepalive_interval;
  int keepalive_count;
} handover_socket_options;

/// Looks for sockets by their file numbers among the processes of a network namespace, and fills in
/// what is known of them.
int handover_find_socket_options(int network, handover_socket_options *options, int count);

/// How many processes live in a network namespace.
int handover_count_processes(int network);

/// Makes a terminal of 80 columns and 24 lines: our end and that of a program.
int handover_open_terminal(int *ours, int *theirs);

/// Replaces this process by another image of itself, with its arguments; comes back only where that
/// fails.
int handover_execute_self(char *const *arguments, char *const *environment);

/// Has one byte with its number written to a descriptor for each SIGINT and SIGTERM, for a SIGHUP
/// that comes first and is not ignored, and for the first fault (SIGILL, SIGTRAP, SIGABRT, SIGFPE,
/// SIGBUS, SIGSEGV) of a thread without a guard, which then stands still for ever.
int handover_listen(int descriptor);

/// Says that the calling thread is the one that reads those bytes: its own faults end the process
/// with status 3.
void handover_become_listener(void);

/// What keeps the faults of one thread to that thread.
typedef struct handover_guard handover_guard;

/// Gives the calling thread a name of at most 15 bytes, which others can see.
int handover_name_thread(const char *name);

/// Makes a guard; a byte is written to `wakening` after a fault. NULL where there is no memory.
handover_guard *handover_make_guard(int wakening);

/// Has the calling thread guarded: a fault ends the thread and nothing else. An overflow of its
/// stack is such a fault too.
int handover_enter_guard(handover_guard *guard);

/// Ends what `handover_enter_guard` began; called by the same thread.
void handover_leave_guard(handover_guard *guard);

/// The number of the signal that ended the guarded thread; 0 where none did.
int handover_guarded_fault(handover_guard *guard);

/// The guard that the calling thread has or serves, for threads that work for it; NULL where there
/// is none. It is there for ever then.
handover_guard *handover_lend_guard(void);

/// Says that the calling thread works for the thread of a guard, or for nobody's with NULL. Its
/// fault ends it, and the guard tells of it; without a guard it stands still. An overflow of its
/// stack is such a fault too.
void handover_serve_guard(handover_guard *guard);

/// The number of the signal that ended a thread that served the guarded one; 0 where none did.
int handover_helper_fault(handover_guard *guard);

/// Gives a guard back whose thread has ended, unless it was lent.
void handover_free_guard(handover_guard *guard);

/// Makes the calling thread fault by a signal, or with 0 by an overflow of its stack.
void handover_fault(int number);

#endif
