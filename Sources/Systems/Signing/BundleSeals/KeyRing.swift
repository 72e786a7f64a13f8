package import Cryptography
import Files
import Text

/// The keys of a team in a folder: root keys, signing keys with their certificates, and what the root said.
///
/// | File | Holds |
/// |---|---|
/// | `team` | the team's name, and the fingerprints of the root key and the signing key in use |
/// | `root-….key`, `signing-….key` | private keys (``KeyFile``) |
/// | `signing-….certificate` | what makes the signing key the team's |
/// | `rotation-….statement`, `revocation-….statement` | what hosts have to be told |
///
/// The file `team` is replaced last and whole: a change that was interrupted leaves the keys of before in use.
package struct KeyRing: Sendable {
  /// What is in use.
  package struct Team: Sendable, Equatable {
    /// What the team calls itself.
    package var name: String
    /// The fingerprint of the root key.
    package var root: String
    /// The fingerprint of the signing key.
    package var signing: String
  }

  /// The folder.
  package let path: String

  /// The ring in a folder, which need not be there.
  package init(_ path: String) { self.path = path }

  // MARK: Looking

  /// The keys in use.
  ///
  /// - Returns: `nil` when no team was made yet.
  /// - Throws: `malformed`, `system`.
  package func team() throws(SealError) -> Team? {
    let read: [UInt8]?
    do throws(FileError) { read = try File.readPrivate("\(path)/team", limit: 4_096) } catch { throw SealError(error) }
    guard let read else { return nil }
    let lines = String(decoding: read, as: UTF8.self).split(separator: "\n").map(String.init)
    // A name may begin with a mark, which is one character with the space before it.
    guard lines.count == 3, lines[0].utf8.starts(with: "name ".utf8), lines[1].hasPrefix("root "),
      lines[2].hasPrefix("signing "),
      KeyFingerprint.isOne(String(lines[1].dropFirst(5))), KeyFingerprint.isOne(String(lines[2].dropFirst(8)))
    else {
      throw SealError(
        .malformed, "\(path)/team does not say which keys are in use.", recovery: "Restore it from a copy.")
    }
    return Team(
      name: String(Substring(lines[0].utf8.dropFirst(5))), root: String(lines[1].dropFirst(5)),
      signing: String(lines[2].dropFirst(8)))
  }

  /// The keys in use.
  ///
  /// - Throws: `keyRefused` when no team was made yet.
  package func requiredTeam() throws(SealError) -> Team {
    if let team = try team() { return team }
    throw SealError(
      .keyRefused, "There are no keys of a team in \(path).",
      recovery: "Make them with “host key new --name NAME”, or name the folder with --keys DIR.")
  }

  /// The certificates of all signing keys, those that end last first.
  package func certificates() -> [KeyCertificate] {
    Folder.names(in: path, endingIn: ".certificate").compactMap { try? certificate(at: "\(path)/\($0)") }
      .sorted { ($0.until, $0.signer) > ($1.until, $1.signer) }
  }

  /// The certificate of a signing key.
  package func certificate(of signer: String) throws(SealError) -> KeyCertificate {
    try certificate(at: file("signing", signer, "certificate"))
  }

  private func certificate(at path: String) throws(SealError) -> KeyCertificate {
    let (text, signature) = try SignedDocument.parts(of: try read(path))
    return try KeyCertificate(text, signature: signature)
  }

  /// The private signing key, encrypted.
  package func signingKey(_ signer: String) throws(SealError) -> KeyFile { try KeyFile(file("signing", signer, "key")) }
  /// The private root key, encrypted.
  package func rootKey(_ root: String) throws(SealError) -> KeyFile { try KeyFile(file("root", root, "key")) }

  /// What the root keys said, as files for hosts: rotations, then revocations.
  package func statements() throws(SealError) -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    for name in Folder.names(in: path, endingIn: ".statement").sorted(by: >) {
      found.append(("\(path)/\(name)", try read("\(path)/\(name)")))
    }
    return found
  }

  private func read(_ path: String) throws(SealError) -> [UInt8] {
    do throws(FileError) {
      return try File.read(path, limit: SignedDocument.limit, followsLink: false)
    } catch {
      throw SealError(.system, "\(path): \(error.message)", recovery: error.recovery ?? "Restore it from a copy.")
    }
  }

  /// The path of a file of the ring.
  package func file(_ word: String, _ fingerprint: String, _ ending: String) -> String {
    "\(path)/\(word)-\(fingerprint.prefix(16)).\(ending)"
  }

  // MARK: Making

  /// Makes a team: a root key, and a first signing key.
  ///
  /// - Parameters:
  ///   - name: what the team calls itself.
  ///   - passphrase: encrypts both keys.
  ///   - period: from when until when the signing key is good, in seconds since 1970.
  ///   - cost: what a guess of the passphrase costs.
  /// - Throws: `keyRefused` when there is a team already.
  package func makeTeam(
    _ name: String, passphrase: [UInt8], _ period: Range<Int64>, cost: Scrypt.Cost = KeyFile.cost
  ) throws(SealError) -> KeyCertificate {
    if let team = try team() {
      throw SealError(
        .keyRefused, "\(path) has the keys of \(team.name) already.",
        recovery: "Make a signing key with “host key new --signing”, or name another folder with --keys DIR.")
    }
    let root = try newKey()
    return try install(root, name, passphrase, period, cost, writesRoot: true)
  }

  /// Makes another signing key of the team, and uses it from now on.
  package func makeSigningKey(
    passphrase: [UInt8], _ period: Range<Int64>, cost: Scrypt.Cost = KeyFile.cost
  ) throws(SealError) -> KeyCertificate {
    let team = try requiredTeam()
    let root = try rootKey(team.root).open(passphrase: passphrase)
    return try install(root, team.name, passphrase, period, cost, writesRoot: false)
  }

  /// Hands the team over to another root key, with a signing key below it.
  ///
  /// - Returns: the statement for the hosts, and the certificate of the new signing key.
  package func rotate(
    passphrase: [UInt8], _ period: Range<Int64>, at time: Int64, cost: Scrypt.Cost = KeyFile.cost
  ) throws(SealError) -> (statement: RootRotation, path: String, certificate: KeyCertificate) {
    let team = try requiredTeam()
    let old = try rootKey(team.root).open(passphrase: passphrase)
    let new = try newKey()
    let statement = try RootRotation(to: new.publicKey, by: old, at: time)
    let path = file("rotation", team.root, "statement")
    try KeyFile.writeNew(statement.document, to: path, mode: 0o644)
    do throws(SealError) {
      return (statement, path, try install(new, team.name, passphrase, period, cost, writesRoot: true))
    } catch {
      // A statement without a successor in use would send hosts to a key that nobody has.
      File.remove(path)
      throw error
    }
  }

  /// Says that a signing key, or one sealed bundle, is good no longer.
  ///
  /// - Parameter revoked: a fingerprint, or the digest of a statement. What a root key of before certified, that key takes back.
  /// - Returns: the path of the file for the hosts.
  package func revoke(
    _ revoked: String, passphrase: [UInt8], because reason: String, at time: Int64
  ) throws(SealError) -> String {
    let team = try requiredTeam()
    let certifier = certificates().first { $0.signer == revoked }?.team ?? team.root
    let root = try rootKey(certifier).open(passphrase: passphrase)
    let path = file("revocation", revoked, "statement")
    try KeyFile.writeNew(
      try Revocation(revoked, by: root, because: reason, at: time).document, to: path, mode: 0o644)
    return path
  }

  private func newKey() throws(SealError) -> Ed25519.PrivateKey {
    do throws(CryptographyError) { return try .generate() } catch { throw SealError(error) }
  }

  private func install(
    _ root: Ed25519.PrivateKey, _ name: String, _ passphrase: [UInt8], _ period: Range<Int64>, _ cost: Scrypt.Cost,
    writesRoot: Bool
  ) throws(SealError) -> KeyCertificate {
    let key = try newKey()
    let certificate = try KeyCertificate(
      key.publicKey, by: root, name: name, from: period.lowerBound, until: period.upperBound)
    do throws(FileError) { try Folder.make(path) } catch { throw SealError(error) }
    if writesRoot {
      try KeyFile(root, passphrase: passphrase, cost: cost).write(to: file("root", certificate.team, "key"))
    }
    try KeyFile(key, passphrase: passphrase, cost: cost).write(to: file("signing", certificate.signer, "key"))
    try KeyFile.writeNew(
      SignedDocument.bytes(certificate.text, certificate.signature),
      to: file("signing", certificate.signer, "certificate"), mode: 0o644)
    let text = "name \(name)\nroot \(certificate.team)\nsigning \(certificate.signer)\n"
    do throws(FileError) {
      try File.replace("\(path)/team", with: Array(text.utf8), isDurable: true)
    } catch {
      throw SealError(error)
    }
    return certificate
  }
}
