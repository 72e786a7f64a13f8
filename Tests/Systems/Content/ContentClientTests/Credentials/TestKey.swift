import CCrypto

/// A private RSA key, made once for all tests.
final class TestKey: @unchecked Sendable {
  // Unchecked: the key is made once and only read afterwards, which libcrypto allows to many threads.
  static let shared = TestKey(bits: 2048)
  static let short = TestKey(bits: 1024)

  private let key: OpaquePointer?
  /// PKCS #8.
  let pem: String

  private init(bits: Int32) {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
    EVP_PKEY_keygen(context, &key)
    self.key = key
    pem = Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// The same with a passphrase.
  var encrypted: String {
    var phrase = Array("pass".utf8)
    return Self.text { sink in
      phrase.withUnsafeMutableBytes { bytes in
        PEM_write_bio_PrivateKey(
          sink, key, EVP_aes_128_cbc(), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), 4, nil, nil)
      }
    }
  }

  /// Whether a signature is of this key.
  func hasSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
    return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }

  private static func text(_ write: (OpaquePointer?) -> Int32) -> String {
    let sink = BIO_new(BIO_s_mem())
    defer { BIO_free(sink) }
    _ = write(sink)
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = BIO_read(sink, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
  }
}
