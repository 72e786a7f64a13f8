import CommandLineTool
import CommandRuntime
import Contracts
import HostServices
import Text

/// The `--option K=V` of a share: checked against what the extension lets a user set, then set.
struct SheetOptions {
  private let pairs: [(key: String, value: String)]

  /// - Throws: a usage error for an option without an equals sign.
  init(_ texts: [String]) throws(CommandLineError) {
    var pairs: [(String, String)] = []
    for text in texts {
      guard let pair = text.cut(at: "="), !pair.before.isEmpty else {
        throw CommandLineError(
          "“\(text.escapedForTerminal)” is not an option.", help: "Write it as NAME=VALUE, for example list=Ideas.")
      }
      pairs.append((String(pair.before), String(pair.behind)))
    }
    self.pairs = pairs
  }

  /// - Throws: a usage error that lists what there is, for an option or a value that the extension does not know.
  func apply(to sheet: ShareSheet, of name: String) async throws {
    guard !pairs.isEmpty else { return }
    var items = try await sheet.configurationItems()
    for (key, value) in pairs {
      guard items.contains(where: { Self.names($0, key) }) else {
        let known = items.map { item in item.choices.map { "\(item.id)=\($0.joined(separator: "|"))" } ?? "\(item.id)=…"
        }
        throw CommandLineError(
          "\(name) has no option “\(key)”.".escapedForTerminal,
          help: known.isEmpty ? "Leave --option away." : "It has: \(known.joined(separator: ", ")).".escapedForTerminal)
      }
      // The choices may only be known once the item is chosen.
      if let id = items.first(where: { Self.names($0, key) })?.id { items = try await sheet.select(id) }
      guard let item = items.first(where: { Self.names($0, key) }) else { continue }
      do throws(ExtensionError) { try item.check(value) } catch {
        throw CommandLineError(error.message.escapedForTerminal, help: error.recovery?.escapedForTerminal ?? "")
      }
      items = try await sheet.select(item.id, value: value)
    }
  }

  private static func names(_ item: Share.ConfigurationItem, _ key: String) -> Bool {
    item.id == key || item.title == key
  }
}
