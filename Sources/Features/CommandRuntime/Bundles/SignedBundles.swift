package import CommandLineTool
import ExtensionHosting
package import ExtensionProtocol
import Files
package import JSON

/// What verifies signed bundles and copies them into the store of the state directory.
package protocol SignedBundles: Sendable {
  /// Compares a bundle with its seal, and with the team that its identifier belongs to.
  func seal(of bundle: String, _ invocation: Invocation) async throws -> SealReport
  /// Verifies a signed bundle, copies it, and registers the copy. Asks the user where that is necessary.
  ///
  /// - Returns: the bundle in the store, with the warnings about it.
  func add(_ bundle: String, _ invocation: Invocation) async throws -> (path: String, problems: [ManifestProblem])
  /// Asks whether an unsigned bundle may take the name of an app that belongs to a team; returns when it may, or when the
  /// name is nobody's.
  func release(_ identifier: String, _ invocation: Invocation) async throws
}

/// What a bundle's seal says, for people and for programs.
package struct SealReport: Sendable {
  /// The word for JSON, such as `whole` or `changed`.
  package let state: String
  /// One sentence.
  package let sentence: String
  /// The team that signed: its name and its fingerprint.
  package let team: (name: String, fingerprint: String)?
  /// What is not as it was signed, a line each.
  package let changes: [String]
  /// Why the bundle may not be used; `nil` for one that is whole or unsigned.
  package let refusal: ExtensionError?

  /// Describes what came of a comparison.
  package init(
    state: String, sentence: String, team: (name: String, fingerprint: String)?, changes: [String],
    refusal: ExtensionError?
  ) {
    (self.state, self.sentence, self.team, self.changes) = (state, sentence, team, changes)
    self.refusal = refusal
  }

  /// A bundle without a seal, that no seal was ever known of.
  package static let unsigned = SealReport(
    state: "unsigned", sentence: "The bundle is unsigned.", team: nil, changes: [], refusal: nil)

  /// The report as a member of a JSON document.
  package var document: JSONValue {
    var object: JSONObject = ["state": .string(state)]
    object["team"] = team.map { ["name": .string($0.name), "fingerprint": .string($0.fingerprint)] } ?? .null
    object["changes"] = .array(changes.map { .string($0) })
    return .object(object)
  }
}

/// Whether a bundle has to do with signatures, as far as a look at its folders says.
package enum SealPlace {
  private static let folder = "_CodeSignature"

  /// Whether the bundle, or an extension in it, has a seal, or something in its place.
  package static func isSealed(_ bundle: String) -> Bool {
    FileStatus("\(bundle)/\(folder)") != nil
      || Folder.names(in: "\(bundle)/PlugIns", endingIn: ".appex").contains {
        FileStatus("\(bundle)/PlugIns/\($0)/\(folder)") != nil
      }
  }

  /// Whether only the second program can do what is asked with a bundle: it has a seal, or teams are known that it may
  /// belong to.
  package static func needsLibraries(_ bundle: String, _ invocation: Invocation) -> Bool {
    // A record that cannot be read is an error of the command.
    isSealed(bundle) || ((try? invocation.record().teams.isEmpty) == false)
  }
}

extension Invocation {
  /// What verifies signed bundles.
  ///
  /// - Throws: `serviceUnavailable` in the tool itself, which hands over what has a seal.
  package func signedBundles() throws(ExtensionError) -> any SignedBundles {
    if let libraries = tool.libraries { return libraries.signedBundles }
    throw ExtensionError(
      .serviceUnavailable, "The bundle got a seal while the command began.", recovery: "Run the command again.")
  }
}

/// The user's agreement to what a bundle needs: given by an option, or at the terminal.
package enum BundleConsent {
  /// The options by which a user agrees beforehand.
  package static let options: [CommandOption] = [
    .flag("other-team", "Let a bundle of another team take the name of an app; it gets none of its data"),
    .flag("approve", "Approve what the version asks for besides"),
  ]

  /// Asks.
  ///
  /// - Parameters:
  ///   - sentence: what the user agrees to. It is shown escaped.
  ///   - option: the option that agrees beforehand.
  /// - Throws: `permissionDenied` when there is no terminal to ask at; `CancellationError`.
  package static func agrees(_ sentence: String, option: String, _ invocation: Invocation) async throws -> Bool {
    if invocation.parsed.flag(option) { return true }
    guard Dialogue.isPossible(invocation) else {
      throw ExtensionError(
        .permissionDenied, "Nothing was changed. \(sentence)", recovery: "Run the command with --\(option) to agree.")
    }
    return try await Dialogue.with(invocation) { dialogue in
      dialogue.say("\(sentence)")
      while true {
        guard let answer = try await dialogue.ask("Type “yes” to agree, or “no”:") else { return false }
        switch answer.lowercased() {
        case "yes": return true
        case "no", "n": return false
        default: continue
        }
      }
    }
  }
}
