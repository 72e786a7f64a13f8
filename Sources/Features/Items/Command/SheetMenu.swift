import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import CommandRuntime
import HostServices

/// The share sheet's two rows: Share extensions above, actions below; only those that take the items.
struct SheetMenu {
  static let points: [ExtensionPoint] = [.share, .action, .actionUI]

  private let rows: [(title: String, entries: [RegistryEntry])]

  init(_ matching: Matching) {
    let entries = matching.offered.map(\.entry)
    rows = [
      ("Share", entries.filter { $0.point == .share }),
      ("Actions", entries.filter { $0.point != .share }),
    ]
  }

  private var entries: [RegistryEntry] { rows.flatMap(\.entries) }

  /// Lets the user choose.
  ///
  /// - Returns: `nil` when the user chooses nothing.
  func choose(in dialogue: Dialogue) async throws -> RegistryEntry? {
    var number = 0
    for row in rows where !row.entries.isEmpty {
      dialogue.say("\(row.title):")
      for entry in row.entries {
        number += 1
        dialogue.say("  \(number)  \(entry.displayName) (\(entry.identifier))")
      }
    }
    return try await dialogue.choose("Which one?", among: number).map { entries[$0] }
  }
}
