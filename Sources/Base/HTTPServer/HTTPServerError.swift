/// Why a server does not start.
package struct HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable {
    /// Another program listens at the port.
    case portTaken
    /// Ports below 1024 need a right that this user lacks.
    case notPermitted
    /// The address is no IPv4 or IPv6 address of this machine.
    case invalidAddress
    /// Something is at the path of a Unix socket that the server may not replace.
    case pathTaken
    /// No Unix socket can be at the path.
    case invalidPath
    /// The certificate or its key cannot be used.
    case badCertificate
    /// This build of libmicrohttpd speaks no TLS.
    case noTLS
    /// The system refused: no descriptors, no memory.
    case system
  }

  /// The sort of failure.
  package let kind: Kind
  /// One sentence with address and port.
  package let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .portTaken: "End the program that uses the port, or choose another port; 0 takes any free one."
    case .notPermitted: "Choose a port of 1024 or above."
    case .invalidAddress: "Give an address of this machine, such as 127.0.0.1."
    case .pathTaken: "Name a path where nothing is, or remove what is there."
    case .invalidPath: "Name a path of at most 107 bytes, in a folder that exists and that this user may write to."
    case .badCertificate: "Name a file with a certificate in PEM, and one with its private key without a passphrase."
    case .noTLS: "Install a libmicrohttpd that was built with GnuTLS, or serve without a certificate."
    case .system: "Try again when the machine has free descriptors and memory."
    }
  }

  /// The message.
  package var description: String { message }
}
