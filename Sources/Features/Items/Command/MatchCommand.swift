import Activation
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import HostServices
import JSON

/// `host match`: which extensions take some input.
enum MatchCommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "match", summary: "Show which extensions take files, a text or a web address",
    example: "host match --url https://example.com --explain",
    options: [.text, .url, .title, .flag("explain", "Explain for every extension why it matches or not")],
    arguments: [CommandArgument("FILE", "Files to match; “-” is standard input", .any, values: .file)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let registry = try invocation.registry()
    let matching = Matching(try SharedInput(invocation), at: Features.points.pointsTakingItems, in: registry)
    let unusable = registry.entries.filter { entry in
      !entry.isEnabled && !entry.isApp && entry.point.map(Features.points.pointsTakingItems.contains) ?? false
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(matching.candidates.map(document) + unusable.map(document)))
    } else {
      let explain = invocation.parsed.flag("explain")
      for candidate in explain ? matching.candidates : matching.offered {
        invocation.console.print("\(candidate.match.isOffered ? "+" : "-") \(candidate.entry.identifier)")
        if explain {
          for reason in candidate.match.explanation { invocation.console.print("    \(reason)") }
        }
      }
      for entry in explain ? unusable : [] {
        invocation.console.print("\(entry.tag) \(entry.identifier)")
        for reason in entry.advisedReasons { invocation.console.print("    \(reason)") }
      }
    }
    return matching.offered.isEmpty ? .failure : .success
  }

  /// An extension that cannot be offered whatever the input is.
  private static func document(_ entry: RegistryEntry) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["offered"] = .bool(false)
    object["reasons"] = .array(entry.advisedReasons.map { .string($0) })
    return .object(object)
  }

  private static func document(_ candidate: Matching.Candidate) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(candidate.entry.identifier)
    object["offered"] = .bool(candidate.match.isOffered)
    object["reasons"] = .array(candidate.match.explanation.map { .string($0) })
    return .object(object)
  }
}
