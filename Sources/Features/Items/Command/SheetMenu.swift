import CommandLineTool
import CommandRuntime
import ExtensionHosting

/// The rows of a sheet at a terminal, one below the other: the extensions of some kind that take the user's items.
struct SheetMenu {
  private let rows: [(title: String, entries: [RegistryEntry])]

  init(_ rows: [(title: String, entries: [RegistryEntry])]) { self.rows = rows }

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
