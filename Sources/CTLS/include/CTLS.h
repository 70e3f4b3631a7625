// The server side of TLS over OpenSSL, without sockets: the caller moves the bytes.
#ifndef HANDOVER_CTLS_H
#define HANDOVER_CTLS_H

#include <stddef.h>
#include <stdint.h>

/// A certificate authority whose keys exist only in memory; several threads may use it.
typedef struct handover_authority handover_authority;

/// Creates an authority, or returns NULL if the library fails.
handover_authority *handover_authority_create(void);

/// Releases an authority; no connection of it may exist.
void handover_authority_release(handover_authority *authority);

/// Copies the authority's certificate (DER) into `room` if it fits, and returns its length.
size_t handover_authority_certificate(const handover_authority *authority, uint8_t *room,
                                      size_t length);

/// A connection of a server; one thread may use it at a time.
typedef struct handover_tls handover_tls;

/// Creates a connection, or returns NULL if the library fails. Its certificate is for the name that
/// the client requests, or for the server's address (4 or 16 bytes) if the client requests none.
handover_tls *handover_tls_create(const handover_authority *authority, const uint8_t *address,
                                  size_t length);

/// Releases a connection.
void handover_tls_release(handover_tls *tls);

/// Adds bytes that were received. Returns 0 on success, and -1 on failure.
int handover_tls_receive(handover_tls *tls, const void *bytes, size_t length);

enum {
  /// The client has ended its direction.
  HANDOVER_TLS_ENDED = -1,
  /// The connection violates the protocol.
  HANDOVER_TLS_FAILED = -2,
};

/// Continues the handshake, and decrypts the next record. Returns the number of bytes that can be
/// read, 0 if more bytes must be received first, or a negative value of the enumeration above.
int handover_tls_decrypt(handover_tls *tls);

/// Reads decrypted bytes, and returns their number, or a negative value.
int handover_tls_read(handover_tls *tls, void *room, int length);

/// Returns the version of HTTP that client and server agreed on: 2, or 1 if they agreed on none.
/// Returns 0 during the handshake.
int handover_tls_http_version(const handover_tls *tls);

/// Encrypts bytes; at least one. Returns 0 on success, and -1 on failure.
int handover_tls_write(handover_tls *tls, const void *bytes, int length);

/// Ends the server's direction.
void handover_tls_end(handover_tls *tls);

/// Returns the number of bytes that must be sent.
int handover_tls_output_length(const handover_tls *tls);

/// Takes up to `length` bytes that must be sent, and returns their number.
int handover_tls_take(handover_tls *tls, void *room, int length);

/// Returns the length of the lines of the key log (NSS format) that were not taken yet.
size_t handover_tls_keys_length(const handover_tls *tls);

/// Takes the lines of the key log into `room`, which has at least their length; at least one line.
void handover_tls_take_keys(handover_tls *tls, void *room);

#endif
