/* The client of sockets-monitor with plain acts, written by hand from the documents for another
   checker: the state of its channels and calls, and every act that can happen. Of time it knows
   what is armed. Beside each act stand the assertions that say what the rules say.

   spin -DH=2 -DK=3 -a client.pml: two hosts, up to three calls at once. */

#ifndef H
#define H 1
#endif
#ifndef K
#define K 2
#endif
#define SIZE (H * K)

/* States of a channel (B8); NONE where there is no channel. */
#define NONE 0
#define IDLE 1
#define CONNECTING 2
#define READY 3
#define FAILED 4

/* A call is twice its carrier, and one more where it does not wait. The carrier is 0 while the call
   waits, 1 for the channel's own connection, and 2 and more for those that drain, the one that
   drains since last first. */
#define carrier(h, i) (calls[(h) * K + (i)] >> 1)

byte category;
byte state[H];
byte failures[H];
byte backoff[H];
byte draining[H];
byte count[H];
byte calls[SIZE];

/* Scratch, zero between acts. */
byte i;
byte j;
byte own;
byte found;

#define legal(from, to) \
  ((from == IDLE && to == CONNECTING) || (from == FAILED && to == CONNECTING) || \
   (from == CONNECTING && (to == READY || to == FAILED)) || \
   (from == READY && (to == IDLE || to == FAILED)))

inline move(h, to) { assert(legal(state[h], to)); state[h] = to }

inline forget(h) {
  state[h] = NONE; failures[h] = 0; backoff[h] = 0; draining[h] = 0;
  j = 0;
  do :: j < count[h] -> calls[h * K + j] = 0; j++ :: else -> break od;
  count[h] = 0
}

/* Whether a call of the host has a carrier. */
inline find(h, which) {
  found = 0; j = 0;
  do
  :: j < count[h] -> if :: carrier(h, j) == which -> found = 1 :: else fi; j++
  :: else -> break
  od
}

/* Takes a call out of its channel. */
inline end(h, which) {
  own = carrier(h, which); j = which;
  do
  :: j + 1 < count[h] -> calls[h * K + j] = calls[h * K + j + 1]; j++
  :: else -> break
  od;
  assert(count[h] > 0);
  count[h]--;
  calls[h * K + count[h]] = 0
}

/* Ends all calls with a carrier. */
inline endAll(h, which) {
  i = 0;
  do
  :: i < count[h] -> if :: carrier(h, i) == which -> end(h, i) :: else -> i++ fi
  :: else -> break
  od
}

/* A connection that drains is gone; those behind it move up. */
inline close(h, which) {
  assert(draining[h] > 0);
  draining[h]--; j = 0;
  do
  :: j < count[h] ->
    if :: carrier(h, j) > which -> calls[h * K + j] = calls[h * K + j] - 2 :: else fi; j++
  :: else -> break
  od
}

/* A call has left its carrier: one that drains is closed with its last call. */
inline leave(h) {
  if
  :: own >= 2 -> find(h, own); if :: !found -> close(h, own) :: else fi
  :: else
  fi
}

inline attempt(h) { move(h, CONNECTING); backoff[h] = 1 }

inline fail(h) {
  move(h, FAILED);
  if :: failures[h] < 11 -> failures[h]++ :: else fi;
  endAll(h, 0)
}

inline add(h, call) { calls[h * K + count[h]] = call; count[h]++ }

inline start(h, fast) {
  if :: state[h] == NONE -> state[h] = IDLE :: else fi;
  if
  :: state[h] == CONNECTING -> add(h, fast)
  :: state[h] == READY -> add(h, 2 + fast)
  :: else ->
    if
    :: !backoff[h] -> add(h, fast); attempt(h)
    :: else -> if :: fast && state[h] == FAILED -> skip :: else -> add(h, fast) fi
    fi
  fi
}

inline connect(h) {
  move(h, READY); failures[h] = 0; j = 0;
  do
  :: j < count[h] ->
    if :: carrier(h, j) == 0 -> calls[h * K + j] = calls[h * K + j] + 2 :: else fi; j++
  :: else -> break
  od
}

inline drain(h) {
  move(h, IDLE); find(h, 1);
  if
  :: found ->
    draining[h]++; j = 0;
    do
    :: j < count[h] ->
      if :: carrier(h, j) >= 1 -> calls[h * K + j] = calls[h * K + j] + 2 :: else fi; j++
    :: else -> break
    od
  :: else
  fi
}

/* What holds of a host after every act: who waits is woken, nothing is on a connection that is not
   there, and each connection that drains has a call. */
inline checkHost(h) {
  assert(count[h] <= K && failures[h] <= 11);
  assert(state[h] != NONE || (!count[h] && !draining[h] && !backoff[h] && !failures[h]));
  i = 0;
  do
  :: i < count[h] ->
    assert(carrier(h, i) != 0 || state[h] != READY);
    assert(carrier(h, i) != 1 || state[h] == READY);
    assert(carrier(h, i) <= 1 + draining[h]);
    i++
  :: else -> break
  od;
  i = 2;
  do
  :: i < 2 + draining[h] -> find(h, i); assert(found); i++
  :: else -> break
  od
}

#if H == 1
#define all(action) action(0)
#define total count[0]
#elif H == 2
#define all(action) action(0); action(1)
#define total (count[0] + count[1])
#else
#define all(action) action(0); action(1); action(2)
#define total (count[0] + count[1] + count[2])
#endif

#define done all(checkHost); assert(total <= K); i = 0; j = 0; own = 0; found = 0

#define CALLBACK(which) \
  :: d_step { category != which -> category = which; all(forget); assert(total == 0); done } \
  :: d_step { category == which -> done }

#define CALL(h, which) \
  :: d_step { count[h] > which -> end(h, which); leave(h); done } /* cancelled */ \
  :: d_step { count[h] > which && carrier(h, which) > 0 -> end(h, which); leave(h); done } \
  :: d_step { count[h] > which && carrier(h, which) > 0 -> done } /* a message */

#define DRAINING(h, which) \
  :: d_step { draining[h] > which -> endAll(h, which + 2); close(h, which + 2); done }

#if K == 1
#define CALLS(h) CALL(h, 0) DRAINING(h, 0)
#elif K == 2
#define CALLS(h) CALL(h, 0) CALL(h, 1) DRAINING(h, 0) DRAINING(h, 1)
#elif K == 3
#define CALLS(h) CALL(h, 0) CALL(h, 1) CALL(h, 2) \
  DRAINING(h, 0) DRAINING(h, 1) DRAINING(h, 2)
#else
#define CALLS(h) CALL(h, 0) CALL(h, 1) CALL(h, 2) CALL(h, 3) \
  DRAINING(h, 0) DRAINING(h, 1) DRAINING(h, 2) DRAINING(h, 3)
#endif

/* An attempt is refused, fails for want of a name, is reset, or lasts too long. */
#define HOST(h) \
  CALLS(h) \
  :: d_step { total < K -> start(h, 0); done } \
  :: d_step { total < K -> start(h, 1); done } \
  :: d_step { state[h] == CONNECTING -> connect(h); done } \
  :: d_step { state[h] == CONNECTING -> fail(h); done } \
  :: d_step { state[h] == CONNECTING -> fail(h); done } \
  :: d_step { state[h] == CONNECTING -> fail(h); done } \
  :: d_step { state[h] == CONNECTING -> fail(h); done } \
  :: d_step { state[h] == READY -> move(h, FAILED); endAll(h, 1); done } \
  :: d_step { state[h] == READY -> drain(h); done } \
  :: d_step { state[h] != NONE -> forget(h); done } /* disconnected */ \
  :: d_step { state[h] != NONE && backoff[h] -> backoff[h] = 0; done } \
  :: d_step { state[h] == IDLE || state[h] == FAILED -> \
    find(h, 0); if :: found -> attempt(h) :: else fi; done } /* the backoff is over */ \
  :: d_step { state[h] != NONE && count[h] == 0 -> forget(h); done } /* unused */

active proctype environment() {
  if :: category = 0 :: category = 1 :: category = 2 :: category = 3 fi;
  do
  CALLBACK(1)
  CALLBACK(2)
  CALLBACK(3)
  HOST(0)
#if H > 1
  HOST(1)
  :: d_step { state[0] != NONE && state[1] != NONE -> all(forget); done } /* all disconnected */
#endif
#if H > 2
  HOST(2)
#endif
  od
}
