import Foundation

/// The lines of one listing of shell commands in a document: a fenced block that says `sh`.
///
/// A comment `<!-- not run: REASON -->` before the block exempts it: readers do not see the comment.
struct CommandListing: Sendable {
  /// The commands without the comments behind them.
  let commands: [String]
  /// Why the tests do not run it; `nil` when they do.
  let exemption: String?

  /// The listings of a document, in their order.
  static func all(in text: String) -> [CommandListing] {
    var listings: [CommandListing] = []
    var exemption: String?
    var open: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let commands = open {
        if line.hasPrefix("```") {
          listings.append(CommandListing(commands: commands, exemption: exemption))
          (open, exemption) = (nil, nil)
        } else if !command(line).isEmpty {
          open?.append(command(line))
        }
      } else if line == "```sh" {
        open = []
      } else if !line.isEmpty {
        exemption = line.firstMatch(of: /<!-- not run: (.+) -->/).map { String($0.1) }
      }
    }
    return listings
  }

  /// What is before a `#` at the beginning or after a space: a `#` in a word belongs to it.
  private static func command(_ line: Substring) -> String {
    if line.hasPrefix("#") { return "" }
    let end = line.firstRange(of: " #")?.lowerBound ?? line.endIndex
    return line[..<end].trimmingCharacters(in: .whitespaces)
  }

  /// The documents of the package with such listings, by their paths in it.
  static let documents: [String] = {
    let root = Build.package
    let articles = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources/Documentation")) ?? []
    let paths = ["README.md"] + articles.filter { $0.hasSuffix(".md") }.map { "Sources/Documentation/\($0)" }.sorted()
    return paths.filter { !all(in: text(of: $0)).isEmpty }
  }()

  static func text(of document: String) -> String {
    (try? String(contentsOfFile: "\(Build.package)/\(document)", encoding: .utf8)) ?? ""
  }
}
