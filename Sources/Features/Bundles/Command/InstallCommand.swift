import BundleInstalling
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host install`: a bundle from an index.
enum InstallCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "install", summary: "Install a bundle from an index",
    discussion: """
      The index says by signed metadata which file the bundle is, and the bundle by its own seal who made it. It is then \
      copied into the store, as by host add. The first use of an index shows the fingerprint of its root and asks whether \
      you trust it. A download that was interrupted goes on where it ended.
      """,
    example: "host install com.example.clock --from https://example.com/index",
    options: [IndexAccess.from, IndexAccess.root, IndexAccess.trustOption, IndexAccess.minimumAge]
      + BundleConsent.options,
    arguments: [CommandArgument("NAME[@VERSION]", "The identifier of an app or a lone extension, and its version")])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let (identifier, version) = try IndexAccess.named(invocation.parsed.argument("NAME[@VERSION]") ?? "")
    var choice = ExtensionIndex.Choice(version: version)
    choice.minimumAge = try IndexAccess.seconds(invocation)
    let indexes = try await IndexAccess.indexes(invocation)
    var unknown: (any Error)?
    for index in indexes {
      do {
        let installed = try await IndexAccess.install(identifier, choice, from: index, invocation)
        if invocation.wantsJSON {
          invocation.printJSON(.object(IndexAccess.document(installed, index.url)))
        } else {
          IndexAccess.say(installed, invocation.console)
        }
        return .success
      } catch let error as ExtensionError where error.code == .extensionUnknown {
        // The next index may have it.
        unknown = error
      }
    }
    throw unknown ?? CommandLineError("No index is named.", help: "Name one with --from URL.")
  }
}

/// `host search`: what the indexes have.
enum SearchCommand: HostSubcommand {
  static let section = CommandSection.register

  static let command = Command(
    "search", summary: "Search the indexes for bundles", example: "host search clock",
    options: [IndexAccess.from, IndexAccess.root, IndexAccess.trustOption],
    arguments: [CommandArgument("WORDS", "Words of the name, the team or the extension point; none lists all", .any)]
  ).alsoTried(as: "find", "available")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    var offers: [ExtensionIndex.Offer] = []
    for index in try await IndexAccess.indexes(invocation) {
      offers += try await index.search(invocation.parsed.arguments("WORDS"))
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(offers.map(document)))
    } else if offers.isEmpty {
      invocation.console.note("No bundle matches.")
    } else {
      var table = TextTable([.init("NAME"), .init("VERSION"), .init("TITLE"), .init("TEAM"), .init("ASKS FOR")])
      for offer in offers {
        table.add([
          .init(offer.identifier), .init(offer.version), .init(offer.title), .init(offer.team.shown),
          .init(offer.asks.joined(separator: ", ")),
        ])
      }
      invocation.console.print(table)
    }
    return offers.isEmpty ? .failure : .success
  }

  static func document(_ offer: ExtensionIndex.Offer) -> JSONValue {
    [
      "id": .string(offer.identifier), "version": .string(offer.version), "title": .string(offer.title),
      "team": ["name": .string(offer.team.name), "fingerprint": .string(offer.team.team)],
      "asks": .array(offer.asks.map { .string($0) }), "points": .array(offer.points.map { .string($0) }),
      "size": .integer(offer.size), "published": .integer(offer.published), "index": .string(offer.index),
    ]
  }
}
