internal import CMicroHTTPD
internal import Cryptography
internal import Files

/// The files that a server needs for TLS.
package struct ServerCertificate: Equatable, Sendable {
  /// The certificate, and those between it and its root, in PEM.
  package var certificateFile: String
  /// Its private key in PEM, without a passphrase.
  package var keyFile: String

  /// Creates a certificate from the paths of two PEM files.
  package init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }

  /// The largest file, in bytes.
  private static let limit = 1 << 20

  /// The texts of both, which belong together.
  func read() throws(HTTPServerError) -> (certificate: String, key: String) {
    guard cmhd_has_tls() != 0 else {
      throw HTTPServerError(.noTLS, "The libmicrohttpd of this machine speaks no TLS.")
    }
    let (certificate, key) = (try text(of: certificateFile), try text(of: keyFile))
    switch CertificatePair.fault(certificate: certificate, key: key) {
    case .certificate: throw bad("\(certificateFile) holds no certificate in PEM.")
    case .key: throw bad("\(keyFile) holds no private key in PEM without a passphrase.")
    case .pair: throw bad("The key in \(keyFile) is not that of the certificate in \(certificateFile).")
    case nil: return (certificate, key)
    }
  }

  private func text(of path: String) throws(HTTPServerError) -> String {
    do throws(FileError) {
      let bytes = try File.read(path, limit: Self.limit)
      // A text ends at its first zero for the library.
      if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) { return text }
    } catch {
      throw bad("\(path): \(error.message)")
    }
    throw bad("\(path) is not text in PEM.")
  }

  private func bad(_ message: String) -> HTTPServerError { HTTPServerError(.badCertificate, message) }
}
