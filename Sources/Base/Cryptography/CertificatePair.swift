internal import CCrypto

/// A certificate and the private key that belongs to it, of any algorithm.
package enum CertificatePair {
  /// What is wrong with the two.
  package enum Fault: Sendable {
    /// The first text has no certificate in PEM.
    case certificate
    /// The second text has no private key in PEM, or one with a passphrase.
    case key
    /// The key is another's.
    case pair
  }

  /// - Returns: `nil` when they belong together.
  package static func fault(certificate: String, key: String) -> Fault? {
    let (certificate, key) = (Array(certificate.utf8), Array(key.utf8))
    defer { ERR_clear_error() }
    switch unsafe ccrypto_pair_fault(certificate, Int32(clamping: certificate.count), key, Int32(clamping: key.count)) {
    case 0: return nil
    case 1: return .certificate
    case 2: return .key
    default: return .pair
    }
  }
}
