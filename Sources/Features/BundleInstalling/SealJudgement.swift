import BundleSeals
public import ExtensionHosting
public import ExtensionProtocol
import Files
import JSON
import Time

/// What a bundle's seal says, compared with what this host knows of teams. A failure is never "unsigned".
public struct SealJudgement: Sendable, Hashable {
  /// What came of the comparison.
  public enum State: String, Sendable, Hashable {
    /// The bundle has no seal.
    case unsigned
    /// Everything is as it was signed.
    case whole
    /// Something is not as it was signed: ``SealJudgement/changes`` names it.
    case changed
    /// Everything is as it was signed, but by another team than the one that the identifier belongs to.
    case anotherTeam = "another-team"
    /// The time of the key is over, or has not begun.
    case expired
    /// The team took the key, or this bundle, back.
    case revoked
    /// The seal cannot be read.
    case malformed
  }

  /// What came of it.
  public let state: State
  /// The team that signed, as far as the seal could be read.
  public let team: BundleTeam?
  /// The fingerprint of the key that signed.
  public let key: String?
  /// The digest that names this sealed bundle and no other.
  public let digest: String?
  /// The changes, each with the path in the bundle and what is wrong there; at most 100.
  public let changes: [String]
  /// One sentence for people, with the names involved.
  public let sentence: String

  init(_ check: SealCheck, of bundle: String, owner: BundleTeam?) {
    let certificate = check.seal?.certificate
    team = certificate.map { BundleTeam(team: $0.team, name: $0.name) }
    key = certificate?.signer
    digest = check.seal?.statement.digest
    var changes: [String] = []
    let name = Folder.name(of: bundle)
    let signer = team?.shown ?? "its team"
    switch check.state {
    case .unsigned:
      state = .unsigned
      sentence = "\(name) is unsigned."
    case .whole:
      state = .whole
      sentence = "\(name) is as \(signer) signed it."
    case .changed(let found):
      state = .changed
      changes = found.map(\.description)
      sentence =
        "\(name) is not as it was signed: \(changes.first ?? "")"
        + (changes.count > 1 ? ", and \(changes.count - 1) more." : ".")
    case .signedByAnother:
      state = .anotherTeam
      sentence = "\(name) is signed by \(signer), and its identifier belongs to \(owner?.shown ?? "another team")."
    case .expired(let until):
      state = .expired
      sentence = "The key of \(signer) that signed \(name) is not good now: it ends \(UnixTime(seconds: until).text())."
    case .revoked(let reason):
      state = .revoked
      sentence = "\(signer) revoked what signed \(name): \(reason)"
    case .malformed(let error):
      state = .malformed
      sentence = error.message
    }
    self.changes = changes
  }

  /// The refusal that follows; `nil` for a bundle that is whole or unsigned.
  public var refusal: ExtensionError? {
    let recovery: String
    switch state {
    case .unsigned, .whole: return nil
    case .changed, .malformed:
      recovery = "Take the bundle from where it came from again; who made it can sign it again."
    case .anotherTeam: recovery = "Ask the team whose app you want, or let the user decide about the other one."
    case .expired: recovery = "Ask its team for a bundle that was signed with a key that is good now."
    case .revoked: recovery = "Ask its team for a version that was signed since."
    }
    return ExtensionError(
      state == .revoked || state == .anotherTeam ? .permissionDenied : .extensionInvalid, sentence, recovery: recovery,
      details: details)
  }

  var details: [String: JSONValue] {
    var details: [String: JSONValue] = ["seal": .string(state.rawValue)]
    if let team { details["team"] = ["team": .string(team.team), "name": .string(team.name)] }
    if !changes.isEmpty { details["changes"] = .array(changes.map { .string($0) }) }
    return details
  }
}
