#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <string.h>

/// Swift does not import variadic functions and macros: those that are used, as functions.

static inline EVP_PKEY *ccrypto_rsa_generate(unsigned bits) { return EVP_RSA_gen(bits); }

/// The default callback would ask at the terminal: a key with a passphrase is no key here.
static inline int ccrypto_no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer;
  (void)size;
  (void)writing;
  (void)context;
  return -1;
}

static inline EVP_PKEY *ccrypto_read_key(const void *bytes, int count, int is_private) {
  BIO *input = BIO_new_mem_buf(bytes, count);
  if (input == NULL) {
    return NULL;
  }
  EVP_PKEY *key = is_private ? PEM_read_bio_PrivateKey(input, NULL, ccrypto_no_passphrase, NULL)
                             : PEM_read_bio_PUBKEY(input, NULL, ccrypto_no_passphrase, NULL);
  BIO_free(input);
  return key;
}

/// The key as PEM, of its own to free with `BIO_free`; NULL when it cannot be written.
static inline BIO *ccrypto_write_key(const EVP_PKEY *key, int is_private) {
  BIO *output = BIO_new(BIO_s_secmem());
  if (output == NULL) {
    return NULL;
  }
  int done = is_private ? PEM_write_bio_PKCS8PrivateKey(output, key, NULL, NULL, 0, NULL, NULL)
                        : PEM_write_bio_PUBKEY(output, key);
  if (done == 1) {
    return output;
  }
  BIO_free(output);
  return NULL;
}

/// What a BIO in memory holds, as long as it lives.
static inline long ccrypto_contents(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

static inline int ccrypto_is_rsa(const EVP_PKEY *key) { return EVP_PKEY_is_a(key, "RSA"); }

static inline int ccrypto_number_size(const BIGNUM *number) { return BN_num_bytes(number); }

/// A public key of a modulus and an exponent, both big-endian; NULL when they are none.
static inline EVP_PKEY *ccrypto_rsa_public(const void *n, int n_count, const void *e, int e_count) {
  EVP_PKEY *key = NULL;
  BIGNUM *modulus = BN_bin2bn((const unsigned char *)n, n_count, NULL);
  BIGNUM *exponent = BN_bin2bn((const unsigned char *)e, e_count, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  OSSL_PARAM *parameters = NULL;
  if (modulus != NULL && exponent != NULL && builder != NULL && context != NULL &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1) {
    parameters = OSSL_PARAM_BLD_to_param(builder);
  }
  if (parameters != NULL && EVP_PKEY_fromdata_init(context) == 1) {
    if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
      key = NULL;
    }
  }
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  BN_free(modulus);
  BN_free(exponent);
  return key;
}

/// Whether two texts in PEM are a certificate and its key: 0 when they are, 1 when the first is no certificate, 2 when
/// the second is no key, 3 when they are no pair.
static inline int ccrypto_pair_fault(const void *certificate, int certificate_count, const void *key, int key_count) {
  BIO *input = BIO_new_mem_buf(certificate, certificate_count);
  X509 *read = input == NULL ? NULL : PEM_read_bio_X509(input, NULL, ccrypto_no_passphrase, NULL);
  EVP_PKEY *private_key = ccrypto_read_key(key, key_count, 1);
  int fault = read == NULL ? 1 : private_key == NULL ? 2 : X509_check_private_key(read, private_key) == 1 ? 0 : 3;
  BIO_free(input);
  X509_free(read);
  EVP_PKEY_free(private_key);
  return fault;
}

/// Whether a signature is that of some bytes by the key in a PEM: of RSA (PSS or PKCS #1 1.5) or of ECDSA on P-256, with
/// SHA-256. 0 for every failure.
static inline int ccrypto_is_signed(const void *pem, int pem_count, int is_rsa, int is_pss, const void *signature,
                                    size_t signature_count, const void *bytes, size_t count) {
  EVP_PKEY *key = ccrypto_read_key(pem, pem_count, 0);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *options = NULL;
  char group[32] = "";
  int fits = 0;
  if (key != NULL && is_rsa) {
    fits = EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) >= 2048 && EVP_PKEY_get_bits(key) <= 8192;
  } else if (key != NULL) {
    fits = EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
           strcmp(group, "prime256v1") == 0;
  }
  int valid = fits && context != NULL && EVP_DigestVerifyInit(context, &options, EVP_sha256(), NULL, key) == 1 &&
              (!is_pss || (EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1 &&
                           EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_AUTO) == 1)) &&
              EVP_DigestVerify(context, signature, signature_count, bytes, count) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return valid;
}
