import CommandLineTool
import CommandRuntime
import ExtensionHosting
import HostServices
import JSON

/// `host verify`: everything that would keep a bundle from being accepted.
enum VerifyCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "verify", summary: "Check a bundle's seal, manifests, files and programs",
    discussion: """
      Compares every file with the seal, where the bundle is signed, and names each that changed. \
      Checks manifests as for a release, and programs for symbols, libraries and modules that are not safe in an \
      extension. It cannot see what a program looks up at run time or calls by number, and it does not read scripts.
      """,
    example: "host verify Notes.app",
    arguments: [CommandArgument("BUNDLE", "A folder that ends in .app or .appex", values: .directory)]
  ).alsoTried(as: "lint", "validate")

  static func needsLibraries(_ invocation: Invocation) -> Bool {
    SealPlace.needsLibraries(invocation.parsed.argument("BUNDLE") ?? "", invocation)
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let bundle = invocation.parsed.argument("BUNDLE") ?? ""
    let seal =
      SealPlace.needsLibraries(bundle, invocation)
      ? try await invocation.signedBundles().seal(of: bundle, invocation) : .unsigned
    let found = try await invocation.verification(of: bundle)
    if invocation.wantsJSON {
      var object = JSONObject()
      object["bundle"] = .string(found.path)
      object["acceptable"] = .bool(found.isAcceptable)
      object["ids"] = .array(found.entries.map { .string($0.identifier) })
      object["seal"] = seal.document
      object["problems"] = ManifestProblemList.document(found.problems)
      invocation.printJSON(.object(object))
    } else {
      ManifestProblemList.print(found.problems, to: invocation.console)
      let errors = found.problems.count { $0.severity == .error }
      let warnings = found.problems.count - errors
      invocation.console.note(
        "\(found.path): \(found.isAcceptable ? "acceptable" : "not acceptable"), "
          + "\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s").")
      for change in seal.changes { invocation.console.print("\(change)") }
      if let refusal = seal.refusal {
        invocation.console.fail("\(refusal.message)", help: refusal.recovery.map { "\($0)" })
      } else {
        invocation.console.note("\(seal.sentence)")
      }
    }
    return found.isAcceptable && seal.refusal == nil ? .success : .dataError
  }
}
