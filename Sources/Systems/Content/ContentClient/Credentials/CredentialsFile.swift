package import ConfigurationFiles
internal import Cryptography
internal import Files
internal import HTTPClient
internal import JSON
internal import Text

/// The file that the developer console of AEM gives: a token for a day, or the account of a service.
struct CredentialsFile {
  let path: String
  private static let maximumBytes = 256 << 10
  private static let advice = "Download the file anew from the developer console of AEM."

  /// - Throws: `CredentialError` with the key path of what is missing or wrong.
  func authentication() throws(CredentialError) -> ContentConfiguration.Authentication {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try File.read(path, limit: Self.maximumBytes) } catch {
      let reason = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
      throw CredentialError(
        .fileUnreadable, file: path, "cannot be read: \(quotable(reason))",
        recovery: "Check AEM_SERVICE_CREDENTIALS, and that the file may be read.")
    }
    return try authentication(parsing: bytes)
  }

  /// Whether others than the owner may read it.
  var isReadableByOthers: Bool { FileStatus(path, followsLink: true).map { $0.mode & 0o044 != 0 } ?? false }

  func authentication(parsing bytes: [UInt8]) throws(CredentialError) -> ContentConfiguration.Authentication {
    let value: JSONValue
    do throws(JSONError) { value = try JSONCoding.parse(bytes, maximumDepth: 16) } catch {
      let (line, column) = error.position(in: bytes)
      // The message of a key that comes twice would show the key.
      throw CredentialError(
        .fileMalformed, file: "\(path):\(line):\(column)", "is not JSON", recovery: Self.advice)
    }
    if value["accessToken"] != nil {
      let token = Secret(try text("accessToken", in: value))
      guard token.revealed().utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw wrong("accessToken", "holds a character that no token has")
      }
      return .token(token)
    }
    guard value["integration"]?.objectValue != nil else {
      throw wrong("accessToken", "and \"integration\" are missing: one of the two is needed")
    }
    return .service(try service(value))
  }

  private func service(_ value: JSONValue) throws(CredentialError) -> ServiceCredentials {
    let endpoint = try text("integration.imsEndpoint", in: value)
    let isHost = endpoint.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || ".-:[]".utf8.contains(byte)
    }
    guard isHost, HTTPOrigin(url: "https://\(endpoint)") != nil else {
      throw wrong("integration.imsEndpoint", "is not a host")
    }
    let key = Secret(try text("integration.privateKey", in: value))
    guard (try? RSAPrivateKey(pem: key.revealed())) != nil else {
      throw wrong("integration.privateKey", "is not a private RSA key of 2048 bits or more without a passphrase")
    }
    let scopes = try text("integration.metascopes", in: value).split(separator: ",").map { part in
      String(part.filter { !$0.isWhitespace })
    }
    guard !scopes.isEmpty, scopes.count <= 16, scopes.allSatisfy({ !$0.isEmpty }) else {
      throw wrong("integration.metascopes", "names no scope")
    }
    return ServiceCredentials(
      file: path, endpoint: endpoint, organization: try text("integration.org", in: value),
      account: try text("integration.id", in: value),
      client: try text("integration.technicalAccount.clientId", in: value),
      clientSecret: Secret(try text("integration.technicalAccount.clientSecret", in: value)), privateKey: key,
      scopes: scopes)
  }

  private func text(_ keyPath: String, in value: JSONValue) throws(CredentialError) -> String {
    var found: JSONValue? = value
    for key in keyPath.split(separator: ".") { found = found?[String(key)] }
    guard let found else { throw wrong(keyPath, "is missing") }
    guard let text = found.stringValue, !text.isEmpty else {
      throw wrong(keyPath, found.stringValue == nil ? "is \(found.kind) and no text" : "is empty")
    }
    return text
  }

  private func wrong(_ keyPath: String, _ what: String) -> CredentialError {
    CredentialError(.fileMalformed, file: path, keyPath: keyPath, what, recovery: Self.advice)
  }
}

/// The credentials of a service account, as the developer console of AEM issues them. The client exchanges them for
/// tokens.
package struct ServiceCredentials: Equatable, Sendable {
  /// The file it was read from.
  package let file: String
  /// The server that gives tokens: a host, with a port where it needs one.
  package let endpoint: String
  /// The identifier of the Adobe organization.
  package let organization: String
  /// The identifier of the technical account.
  package let account: String
  /// The identifier of the client at the token server.
  package let client: String
  /// The secret of the client at the token server.
  package let clientSecret: Secret
  /// The private key of the account, in PEM.
  package let privateKey: Secret
  /// The scopes of the token, for example `ent_aem_cloud_api`.
  package let scopes: [String]
}

/// An error of a file of credentials. Neither message nor recovery contains a value of the file.
package struct CredentialError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The codes of the clients of AEM Headless.
  package enum Kind: String, Sendable, CaseIterable {
    case fileUnreadable = "AUTH_FILE_READ_ERROR"
    case fileMalformed = "AUTH_FILE_PARSE_ERROR"
  }

  /// The kind of failure.
  package let kind: Kind
  /// The file as the settings name it.
  package let file: String
  /// The member that is wrong, for example `integration.technicalAccount.clientId`; nil for the file as a whole.
  package let keyPath: String?
  /// One sentence with the file, the key path and the code.
  package let message: String
  /// The advice to the reader, one sentence.
  package let recovery: String

  init(_ kind: Kind, file: String, keyPath: String? = nil, _ what: String, recovery: String) {
    self.kind = kind
    self.file = file
    self.keyPath = keyPath
    message = "\(quotable(file)): \(keyPath.map { "\($0) " } ?? "")\(what) (\(kind.rawValue))."
    self.recovery = recovery
  }

  /// The message and the recovery.
  package var description: String { "\(message) \(recovery)" }
}
