#include "CTLS.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

struct handover_authority {
  X509 *certificate;
  EVP_PKEY *key;
  /// One key for all servers, because creating a key takes longer than signing.
  EVP_PKEY *server_key;
  SSL_CTX *context;
};

struct handover_tls {
  SSL *ssl;
  const handover_authority *authority;
  uint8_t address[16];
  size_t address_length;
  /// Lines of the key log that were not taken yet.
  char *keys;
  size_t keys_length;
};

enum { DAY = 86400, SERIAL_BITS = 127 };

static int add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int is_added = extension && X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return is_added;
}

/// Names the server's host in its certificate. Names come from clients, so no parser reads them.
static int add_host(X509 *certificate, const char *name, const handover_tls *tls) {
  GENERAL_NAMES *names = GENERAL_NAMES_new();
  GENERAL_NAME *host = GENERAL_NAME_new();
  ASN1_STRING *text = ASN1_STRING_type_new(name ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
  const void *bytes = name ? (const void *)name : tls->address;
  int length = name ? (int)strlen(name) : (int)tls->address_length;
  int is_added = names && host && text && ASN1_STRING_set(text, bytes, length);
  if (is_added) {
    GENERAL_NAME_set0_value(host, name ? GEN_DNS : GEN_IPADD, text);
    text = NULL;
    is_added = sk_GENERAL_NAME_push(names, host) > 0;
    if (is_added) host = NULL;
  }
  is_added = is_added && X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, 0) == 1;
  ASN1_STRING_free(text);
  GENERAL_NAME_free(host);
  GENERAL_NAMES_free(names);
  return is_added;
}

/// Creates a certificate without a signature. Without an issuer it is for an authority.
static X509 *make_certificate(EVP_PKEY *key, X509 *issuer, const char *name) {
  X509 *certificate = X509_new();
  BIGNUM *serial = BN_new();
  X509_NAME *subject = certificate ? X509_get_subject_name(certificate) : NULL;
  int is_made =
      certificate && serial && X509_set_version(certificate, X509_VERSION_3) &&
      BN_rand(serial, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) &&
      BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)) &&
      X509_gmtime_adj(X509_getm_notBefore(certificate), -DAY) &&
      X509_gmtime_adj(X509_getm_notAfter(certificate), (issuer ? 20 : 30) * DAY) &&
      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const uint8_t *)name, -1, -1, 0) &&
      X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer) : subject) &&
      X509_set_pubkey(certificate, key) &&
      add_extension(certificate, issuer, NID_basic_constraints,
                    issuer ? "critical,CA:FALSE" : "critical,CA:TRUE") &&
      add_extension(certificate, issuer, NID_key_usage,
                    issuer ? "critical,digitalSignature" : "critical,keyCertSign,cRLSign") &&
      add_extension(certificate, issuer, NID_subject_key_identifier, "hash");
  BN_free(serial);
  if (is_made) return certificate;
  X509_free(certificate);
  return NULL;
}

/// Gives a connection the certificate for the host that its client requests.
static int choose_certificate(SSL *ssl, void *argument) {
  (void)argument;
  const handover_tls *tls = SSL_get_app_data(ssl);
  const handover_authority *authority = tls->authority;
  X509 *certificate = make_certificate(authority->server_key, authority->certificate, "lab server");
  int is_chosen = certificate &&
                  add_extension(certificate, authority->certificate, NID_ext_key_usage,
                                "serverAuth") &&
                  add_extension(certificate, authority->certificate,
                                NID_authority_key_identifier, "keyid") &&
                  add_host(certificate, SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name), tls) &&
                  X509_sign(certificate, authority->key, EVP_sha256()) > 0 &&
                  SSL_use_certificate(ssl, certificate) &&
                  SSL_use_PrivateKey(ssl, authority->server_key);
  X509_free(certificate);
  return is_chosen;
}

static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *length,
                           const unsigned char *offered, unsigned offered_length, void *argument) {
  (void)ssl;
  (void)argument;
  static const unsigned char known[] = "\x02h2\x08http/1.1";
  int result = SSL_select_next_proto((unsigned char **)chosen, length, known, sizeof known - 1,
                                     offered, offered_length);
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// Keeps a line of the key log until it is taken.
static void keep_keys(const SSL *ssl, const char *line) {
  handover_tls *tls = SSL_get_app_data(ssl);
  size_t length = strlen(line);
  char *keys = realloc(tls->keys, tls->keys_length + length + 1);
  if (!keys) return;
  memcpy(keys + tls->keys_length, line, length);
  keys[tls->keys_length + length] = '\n';
  tls->keys = keys;
  tls->keys_length += length + 1;
}

handover_authority *handover_authority_create(void) {
  // The machine's configuration of OpenSSL must not change the servers.
  if (!OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL)) return NULL;
  handover_authority *authority = calloc(1, sizeof *authority);
  if (!authority) return NULL;
  authority->key = EVP_EC_gen("P-256");
  authority->server_key = EVP_EC_gen("P-256");
  authority->context = SSL_CTX_new(TLS_server_method());
  if (authority->key && authority->server_key && authority->context) {
    authority->certificate = make_certificate(authority->key, NULL, "Handover lab");
  }
  if (!authority->certificate ||
      !X509_sign(authority->certificate, authority->key, EVP_sha256()) ||
      !SSL_CTX_set_min_proto_version(authority->context, TLS1_2_VERSION)) {
    handover_authority_release(authority);
    return NULL;
  }
  SSL_CTX_set_options(authority->context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(authority->context, SSL_MODE_RELEASE_BUFFERS);
  // Tickets resume sessions without storing them here.
  SSL_CTX_set_session_cache_mode(authority->context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_cert_cb(authority->context, choose_certificate, NULL);
  SSL_CTX_set_alpn_select_cb(authority->context, choose_protocol, NULL);
  SSL_CTX_set_keylog_callback(authority->context, keep_keys);
  return authority;
}

void handover_authority_release(handover_authority *authority) {
  X509_free(authority->certificate);
  EVP_PKEY_free(authority->key);
  EVP_PKEY_free(authority->server_key);
  SSL_CTX_free(authority->context);
  free(authority);
}

size_t handover_authority_certificate(const handover_authority *authority, uint8_t *room,
                                      size_t length) {
  int needed = i2d_X509(authority->certificate, NULL);
  if (needed < 0) return 0;
  if ((size_t)needed <= length) i2d_X509(authority->certificate, &room);
  return (size_t)needed;
}

handover_tls *handover_tls_create(const handover_authority *authority, const uint8_t *address,
                                  size_t length) {
  handover_tls *tls = calloc(1, sizeof *tls);
  if (!tls || length > sizeof tls->address) return free(tls), NULL;
  tls->authority = authority;
  tls->address_length = length;
  memcpy(tls->address, address, length);
  tls->ssl = SSL_new(authority->context);
  BIO *input = BIO_new(BIO_s_mem());
  BIO *output = BIO_new(BIO_s_mem());
  if (!tls->ssl || !input || !output) {
    BIO_free(input);
    BIO_free(output);
    handover_tls_release(tls);
    return NULL;
  }
  SSL_set_bio(tls->ssl, input, output);
  SSL_set_app_data(tls->ssl, tls);
  SSL_set_accept_state(tls->ssl);
  return tls;
}

void handover_tls_release(handover_tls *tls) {
  SSL_free(tls->ssl);
  free(tls->keys);
  free(tls);
}

int handover_tls_receive(handover_tls *tls, const void *bytes, size_t length) {
  size_t written;
  return length == 0 || BIO_write_ex(SSL_get_rbio(tls->ssl), bytes, length, &written) ? 0 : -1;
}

int handover_tls_decrypt(handover_tls *tls) {
  char first;
  // The error of an earlier call on this thread would change the result.
  ERR_clear_error();
  int result = SSL_peek(tls->ssl, &first, 1);
  if (result > 0) return SSL_pending(tls->ssl);
  switch (SSL_get_error(tls->ssl, result)) {
  case SSL_ERROR_WANT_READ: return 0;
  case SSL_ERROR_ZERO_RETURN: return HANDOVER_TLS_ENDED;
  default: return HANDOVER_TLS_FAILED;
  }
}

int handover_tls_read(handover_tls *tls, void *room, int length) {
  ERR_clear_error();
  return SSL_read(tls->ssl, room, length);
}

int handover_tls_http_version(const handover_tls *tls) {
  if (!SSL_is_init_finished(tls->ssl)) return 0;
  const unsigned char *protocol;
  unsigned length;
  SSL_get0_alpn_selected(tls->ssl, &protocol, &length);
  return length == 2 ? 2 : 1;
}

int handover_tls_write(handover_tls *tls, const void *bytes, int length) {
  ERR_clear_error();
  return SSL_write(tls->ssl, bytes, length) == length ? 0 : -1;
}

void handover_tls_end(handover_tls *tls) {
  ERR_clear_error();
  if (SSL_is_init_finished(tls->ssl)) SSL_shutdown(tls->ssl);
}

int handover_tls_output_length(const handover_tls *tls) {
  return (int)BIO_ctrl_pending(SSL_get_wbio(tls->ssl));
}

int handover_tls_take(handover_tls *tls, void *room, int length) {
  int result = BIO_read(SSL_get_wbio(tls->ssl), room, length);
  return result > 0 ? result : 0;
}

size_t handover_tls_keys_length(const handover_tls *tls) { return tls->keys_length; }

void handover_tls_take_keys(handover_tls *tls, void *room) {
  memcpy(room, tls->keys, tls->keys_length);
  free(tls->keys);
  tls->keys = NULL;
  tls->keys_length = 0;
}
