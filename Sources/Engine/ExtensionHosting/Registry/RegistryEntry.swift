package import Activation
public import ExtensionProtocol
import PropertyList

/// One extension or containing app that a registry found, usable or not.
public struct RegistryEntry: Sendable, Hashable {
  /// Whether an entry can be used, and if not, why.
  public enum State: Sendable, Hashable {
    /// It can be used.
    case enabled
    /// ``RegistryEntry/problems`` has an error.
    case invalid
    /// The executable or the interpreter is missing or cannot be run; the sentence says which.
    case missingExecutable(reason: String)
    /// A user decided against it.
    case ignored
    /// It asks for more than the version that was approved; the words say what.
    case unapproved(asks: [String])
    /// Its team said that it, or the key that signed it, is good no longer.
    case revoked(reason: String)
    /// Its identifier belongs to another team, whose data and permissions it must not get.
    case foreign(owner: BundleTeam)
    /// Another entry with the same identifier is used in its place.
    case superseded(by: String)

    /// The word for tables and JSON: `enabled`, `invalid`, `missing`, `ignored`, `unapproved`, `revoked`,
    /// `foreign`, `superseded`.
    public var name: String {
      switch self {
      case .enabled: "enabled"
      case .invalid: "invalid"
      case .missingExecutable: "missing"
      case .ignored: "ignored"
      case .unapproved: "unapproved"
      case .revoked: "revoked"
      case .foreign: "foreign"
      case .superseded: "superseded"
      }
    }
  }

  /// The bundle identifier; for a manifest without one, the name of the file or bundle.
  public let identifier: String
  /// The manifest; `nil` when it has errors.
  public let manifest: Manifest?
  /// Whether this is a containing app, as far as the manifest can be understood.
  public let isApp: Bool
  /// The extension point, if one is named; `containingApp` for an app.
  public let point: ExtensionPoint?
  /// The name for people: the manifest's own, else the containing app's, else the last component of the identifier.
  public internal(set) var displayName: String
  /// Whether it can be used.
  public internal(set) var state: State
  /// Errors and warnings, those of the manifest first.
  public internal(set) var problems: [ManifestProblem]
  /// The path of the manifest.
  public let manifestPath: String
  /// The bundle; `nil` for a loose manifest.
  public let bundlePath: String?
  /// The path of the executable, or of the script when there is an interpreter. Links are resolved when the file exists.
  public let executablePath: String?
  /// The absolute path of the program that runs the executable, a script, as the manifest or the bundle names it; `nil`
  /// when the executable is a program itself.
  public internal(set) var interpreterPath: String?
  /// The files that a start stands on, for a bundle in the store.
  var verified: VerifiedFiles?
  /// For a loose manifest, the folder that its script belongs to and that is shown to it whole; `nil` for a single file.
  var programFolder: String?
  /// Why the executable cannot be run, with what to do.
  var executableFault: ExecutableFile.Fault?
  /// The same with its place in the manifest, for an entry whose state is ``State/missingExecutable(reason:)``; `nil`
  /// when the whole bundle is gone.
  var executableProblem: ManifestProblem?
  /// Whether the file is not a property list, so that nothing of it but names is known.
  public internal(set) var isUnreadable = false
  /// The bundle identifier of the containing app; for an app, its own.
  public internal(set) var containingApp: String?
  /// Who signed the bundle, or the app that it lies in; `nil` for what is used where it lies, unsigned or not.
  public internal(set) var signature: BundleSignature?
  /// The user's decision, if there is one.
  public internal(set) var election: Election?
  /// `NSExtensionActivationRule`, understood; `nil` when there is none or the manifest has errors.
  package let activationRule: ActivationRule?
  /// When the bundle was added, else when the manifest was last changed, in seconds since 1970: among equal versions the
  /// newest is used.
  let modified: Double

  /// Whether the entry can be used.
  public var isEnabled: Bool { state == .enabled }

  /// Why the entry cannot be used, one sentence each; empty when it can.
  public var reasons: [String] {
    switch state {
    case .enabled: []
    case .invalid: problems.filter { $0.severity == .error }.map(\.description)
    case .missingExecutable(let reason): [executableProblem?.description ?? reason]
    case .ignored: ["A user decided to ignore it."]
    case .unapproved(let asks): ["It asks for more than was approved: \(asks.joined(separator: ", "))."]
    case .revoked(let reason): ["\(signature?.shown ?? "Its team") revoked it: \(reason)"]
    case .foreign(let owner):
      [
        "\(identifier) belongs to \(owner.shown), and this one is "
          + "\(signature.map { "signed by \($0.shown)" } ?? "unsigned, local")."
      ]
    case .superseded(let path): ["Another version is used: \(path)."]
    }
  }

  /// The problems that keep the entry from being used, each with its place and what to do; empty for an entry that is
  /// enabled, or that a decision keeps from use.
  package var faults: [ManifestProblem] {
    switch state {
    case .invalid: problems.filter { $0.severity == .error }
    case .missingExecutable: executableProblem.map { [$0] } ?? []
    case .enabled, .ignored, .unapproved, .revoked, .foreign, .superseded: []
    }
  }

  /// The origin for people: the team that signed it, or `unsigned, local`.
  public var origin: String { signature?.shown ?? "unsigned, local" }

  /// The mark that lists show: `+` use, `-` ignored, `!` not usable, `?` not approved, `=` superseded, a space for the
  /// default.
  public var tag: Character {
    switch state {
    case .invalid, .missingExecutable, .revoked, .foreign: "!"
    case .ignored: "-"
    case .unapproved: "?"
    case .superseded: "="
    case .enabled: election == .use ? "+" : " "
    }
  }

  /// Adds a problem of the manifest that was found beside others; an error makes the entry invalid.
  ///
  /// - Parameters:
  ///   - node: the manifest, for the line.
  ///   - path: where in it.
  mutating func add(
    _ severity: ManifestProblem.Severity, _ node: PropertyListNode?, _ path: PropertyListKeyPath, _ message: String,
    _ recovery: String
  ) {
    add(
      ManifestProblem(
        severity, file: manifestPath, line: node?.line(nearest: path), keyPath: path.description, message,
        recovery: recovery))
  }

  /// Adds a problem of the manifest; an error makes the entry invalid.
  mutating func add(_ problem: ManifestProblem) {
    problems.append(problem)
    if problem.severity == .error { state = .invalid }
  }
}

/// What an extension asks for beyond its own folder.
extension RegistryEntry {
  /// The features, app groups and keyboard access that the manifest asks for, each as one word: `content`,
  /// `group.com.example.notes`, `open-access`.
  public var capabilities: Set<String> {
    guard let manifest else { return [] }
    var found = Set(manifest.entitlements).union(manifest.appGroups)
    let openAccess = PermissionKind.openAccess.name
    if manifest.askedPermissions.contains(where: { $0.name == openAccess }) { found.insert(openAccess) }
    return found
  }

  /// What it asks for and was not approved; empty for what was never approved by itself, such as a loose manifest.
  func unapproved(by approvals: [String: Set<String>]) -> Set<String> {
    guard bundlePath != nil, let approved = approvals[identifier] else { return [] }
    return capabilities.subtracting(approved)
  }
}
