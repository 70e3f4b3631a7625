// Reads the options that other programs have set on their sockets.
#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int number_of(int socket, int level, int option) {
  int value = 0;
  socklen_t length = sizeof value;
  return getsockopt(socket, level, option, &value, &length) == 0 ? value : 0;
}

static void read_options(int socket, handover_socket_options *options) {
  options->is_known = 1;
  options->user_timeout = number_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT);
  options->keepalive = number_of(socket, SOL_SOCKET, SO_KEEPALIVE);
  options->keepalive_idle = number_of(socket, IPPROTO_TCP, TCP_KEEPIDLE);
  options->keepalive_interval = number_of(socket, IPPROTO_TCP, TCP_KEEPINTVL);
  options->keepalive_count = number_of(socket, IPPROTO_TCP, TCP_KEEPCNT);
}

/// Reads the options if one descriptor of a process is a requested socket.
static void look_at(int process, int folder, const char *name, handover_socket_options *options,
                    int count) {
  char target[64] = "";
  unsigned inode;
  if (readlinkat(folder, name, target, sizeof target - 1) <= 0) return;
  if (sscanf(target, "socket:[%u]", &inode) != 1) return;
  for (int i = 0; i < count; i++) {
    if (options[i].inode != inode || options[i].is_known) continue;
    int copy = (int)syscall(SYS_pidfd_getfd, process, atoi(name), 0);
    if (copy < 0) continue;
    read_options(copy, &options[i]);
    close(copy);
  }
}

static void look_into(int identifier, handover_socket_options *options, int count) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd", identifier);
  DIR *folder = opendir(path);
  if (!folder) return;
  int process = (int)syscall(SYS_pidfd_open, identifier, 0);
  struct dirent *entry;
  while (process >= 0 && (entry = readdir(folder))) {
    look_at(process, dirfd(folder), entry->d_name, options, count);
  }
  if (process >= 0) close(process);
  closedir(folder);
}

/// Searches every process of a network namespace, and returns the number of processes.
static int look_into_all(int network, handover_socket_options *options, int count) {
  struct stat own, other;
  if (fstat(network, &own) != 0) return -errno;
  DIR *processes = opendir("/proc");
  if (!processes) return -errno;
  int found = 0;
  struct dirent *entry;
  while ((entry = readdir(processes))) {
    char path[64];
    int identifier = atoi(entry->d_name);
    if (identifier <= 0) continue;
    snprintf(path, sizeof path, "/proc/%d/ns/net", identifier);
    // A zombie process has no namespace any more.
    if (stat(path, &other) != 0 || other.st_ino != own.st_ino || other.st_dev != own.st_dev)
      continue;
    found++;
    if (count > 0) look_into(identifier, options, count);
  }
  closedir(processes);
  return found;
}

int handover_find_socket_options(int network, handover_socket_options *options, int count) {
  int found = look_into_all(network, options, count);
  return found < 0 ? found : 0;
}

int handover_count_processes(int network) { return look_into_all(network, NULL, 0); }

handover_ends handover_open_terminal(void) {
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  int ours, theirs;
  if (openpty(&ours, &theirs, NULL, NULL, &size) != 0) return (handover_ends){-errno, -1, -1};
  fcntl(ours, F_SETFD, FD_CLOEXEC);
  fcntl(theirs, F_SETFD, FD_CLOEXEC);
  return (handover_ends){0, ours, theirs};
}
