package import Cryptography
import Files
import Glibc

/// The folder `_CodeSignature` of a bundle: who signed it, and the list of everything else in it.
///
/// | File | Holds |
/// |---|---|
/// | `CodeResources` | every file with its mode, size and SHA-256, every folder, every link with its target |
/// | `Statement` | identifier, version, and the digests of the entitlements and of `CodeResources`; these bytes are signed |
/// | `Statement.sig` | the signature of Ed25519 over `Statement`, 64 bytes, as `openssl pkeyutl -rawin` takes it |
/// | `Statement.minisig` | the same signature as `minisign` takes it |
/// | `SigningKey` | the certificate of the key that signed, by the team's root key |
/// | `SigningKey.sig` | the signature of the root key over `SigningKey`, 64 bytes |
package struct BundleSeal: Sendable, Equatable {
  /// The name of the folder.
  package static let folder = "_CodeSignature"
  /// The names of its files. Nothing else may be there.
  package static let names = [
    "CodeResources", "Statement", "Statement.sig", "Statement.minisig", "SigningKey", "SigningKey.sig",
  ]

  /// Who signed.
  package let certificate: KeyCertificate
  /// What was signed.
  package let statement: SealStatement
  /// What is in the bundle.
  package let resources: CodeResources
  /// The files as they were read, by name.
  package let files: [String: [UInt8]]

  // MARK: Reading

  /// What a bundle has in place of a seal, or beside it.
  package enum Outcome: Sendable {
    /// There is no folder of that name.
    case unsigned
    /// The seal, its signatures good.
    case seal(BundleSeal)
    /// Files of the seal that are not what was signed.
    case changed([SealChange])
    /// No seal that could be compared with anything.
    case malformed(SealError)
  }

  /// Reads the seal of a bundle, and checks its own signatures. The other files are not looked at.
  package static func read(_ bundle: String) -> Outcome {
    let place = "\(bundle)/\(folder)"
    guard let status = FileStatus(place) else {
      // Only a name that is not there is no seal: what cannot be looked at may well be one.
      if errno == ENOENT || errno == ENOTDIR { return .unsigned }
      return .malformed(SealError(.system, "\(place) cannot be looked at: \(SystemError.last).", recovery: advice))
    }
    guard status.kind == .directory else {
      return .malformed(SealError(.malformed, "\(place) is not a folder.", recovery: advice))
    }
    var files: [String: [UInt8]] = [:]
    let found = Folder.names(in: place)
    if let foreign = found.filter({ !names.contains($0) }).sorted().first {
      return .changed([SealChange("\(folder)/\(foreign.prefix(200))", .added, "no seal has such a file")])
    }
    for name in names {
      do throws(FileError) {
        guard found.contains(name) else { throw FileError(.notRegular, "The file is missing.") }
        files[name] = try File.read("\(place)/\(name)", limit: CodeResources.size, followsLink: false)
      } catch {
        return .malformed(
          SealError(.malformed, "The seal of \(bundle) has no \(name). \(error.message)", recovery: advice))
      }
    }
    return check(files)
  }

  private static let advice = "Take the bundle from where it came from again."

  /// Checks the signatures of a seal from its files.
  package static func check(_ files: [String: [UInt8]]) -> Outcome {
    func file(_ name: String) -> [UInt8] { files[name] ?? [] }
    func changed(_ name: String, _ what: String) -> Outcome {
      .changed([SealChange("\(folder)/\(name)", .content, what)])
    }
    let certificate: KeyCertificate
    do throws(SealError) {
      certificate = try KeyCertificate(file("SigningKey"), signature: file("SigningKey.sig"))
    } catch {
      return changed("SigningKey", "the certificate of the key is not one that its team signed")
    }
    guard certificate.key.isValid(file("Statement.sig"), for: file("Statement")) else {
      return changed("Statement", "the signature in Statement.sig is not the key's")
    }
    guard Minisign.isValid(file("Statement.minisig"), for: file("Statement.sig"), by: certificate.key) else {
      return changed("Statement.minisig", "it is not the signature in Statement.sig")
    }
    do throws(SealError) {
      let statement = try SealStatement(file("Statement"))
      guard statement.key == certificate.signer else {
        throw SealError(.malformed, "The statement names another key than its certificate.", recovery: advice)
      }
      guard SHA256.hexadecimal(of: file("CodeResources")) == statement.resources else {
        return changed("CodeResources", "the list of files is not the one that was signed")
      }
      return .seal(
        BundleSeal(
          certificate: certificate, statement: statement, resources: try CodeResources(file("CodeResources")),
          files: files))
    } catch {
      return .malformed(error)
    }
  }

  // MARK: Signing

  /// Seals a bundle: first the extensions in it, then the bundle itself. What a seal of before said is replaced.
  ///
  /// - Parameters:
  ///   - bundle: a folder that ends in `.app` or `.appex`.
  ///   - key: the signing key.
  ///   - certificate: that of the key, by the team's root key.
  ///   - time: now, in seconds since 1970.
  /// - Returns: the seals, that of the bundle itself last.
  /// - Throws: `unsealable` for a bundle with something that no seal can hold; `keyRefused` when the certificate is
  ///   another key's, or not good now; `system`.
  @discardableResult
  package static func sign(
    _ bundle: String, with key: Ed25519.PrivateKey, _ certificate: KeyCertificate, at time: Int64
  ) throws(SealError) -> [BundleSeal] {
    guard certificate.key == key.publicKey else {
      throw SealError(
        .keyRefused, "The certificate is not that of the signing key.", recovery: "Run “host key show”.")
    }
    guard (certificate.from...max(certificate.from, certificate.until)).contains(time), time < certificate.until else {
      throw SealError(
        .keyRefused, "The signing key is not good at this time.",
        recovery: "Make a new one with “host key new --signing”.")
    }
    var seals: [BundleSeal] = []
    for name in Folder.names(in: "\(bundle)/PlugIns", endingIn: ".appex") {
      seals.append(try signOne("\(bundle)/PlugIns/\(name)", key, certificate))
    }
    seals.append(try signOne(bundle, key, certificate))
    return seals
  }

  private static func signOne(
    _ bundle: String, _ key: Ed25519.PrivateKey, _ certificate: KeyCertificate
  ) throws(SealError) -> BundleSeal {
    let manifest = try SealedManifest(bundle: bundle)
    let tree = SealedTree(bundle, leavingOut: folder)
    if let refused = tree.refused.first { throw unsealable(bundle, refused) }
    var entries: [String: SealedEntry] = [:]
    for (path, shape) in tree.shapes {
      switch shape {
      case .folder(let mode): entries[path] = .folder(mode: mode)
      case .link(let target): entries[path] = .link(target: target)
      case .file(let mode, let size):
        do throws(SealFault) {
          entries[path] = .file(
            mode: mode, size: size, digest: try SealedFile.digest(of: "\(bundle)/\(path)", named: path, size: size))
        } catch {
          switch error {
          case .change(let change): throw unsealable(bundle, change)
          case .file(let error): throw SealError(error)
          }
        }
      }
    }
    let resources = CodeResources(entries)
    let list = try resources.bytes()
    let statement = try SealStatement(manifest, resources: list, key: key.publicKey)
    let files: [String: [UInt8]]
    do throws(CryptographyError) {
      let signature = try key.signature(of: statement.bytes)
      files = [
        "CodeResources": list, "Statement": statement.bytes, "Statement.sig": signature,
        "Statement.minisig": try Minisign.document(signature, by: key), "SigningKey": certificate.text,
        "SigningKey.sig": certificate.signature,
      ]
    } catch {
      throw SealError(error)
    }
    try write(files, to: bundle)
    return BundleSeal(certificate: certificate, statement: statement, resources: resources, files: files)
  }

  private static func unsealable(_ bundle: String, _ change: SealChange) -> SealError {
    SealError(
      .unsealable, "\(bundle) cannot be sealed. \(change.path): \(change.detail).",
      recovery: "Correct or remove \(change.path), and sign again.")
  }

  /// The new seal is written beside the old one, and takes its place whole.
  private static func write(_ files: [String: [UInt8]], to bundle: String) throws(SealError) {
    let place = "\(bundle)/\(folder)"
    do throws(FileError) {
      let new = try Folder.makeTemporary(beginning: "\(place).")
      do throws(FileError) {
        for (name, bytes) in files {
          try File.replace("\(new)/\(name)", with: bytes, isDurable: true)
          try File.setMode("\(new)/\(name)", fileMode)
        }
        try File.setMode(new, folderMode)
        try Folder.remove(place)
        guard rename(new, place) == 0 else { throw .cannot("write", place) }
        Folder.synchronize(bundle)
      } catch {
        try? Folder.remove(new)
        throw error
      }
    } catch {
      throw SealError(error)
    }
  }

  /// The permissions of the files of a seal. They are not on its list, and so they are the same always.
  static let fileMode: UInt32 = 0o644
  /// The permissions of the folder of a seal.
  static let folderMode: UInt32 = 0o755

  package static func == (left: Self, right: Self) -> Bool { left.files == right.files }
}
