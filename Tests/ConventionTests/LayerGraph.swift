import Foundation

/// The layers that CONTRIBUTING.md draws: names by height, and the few edges between neighbours.
struct LayerGraph {
  private(set) var height: [String: Int] = [:]
  private(set) var neighbours: Set<[String]> = []

  /// Reads the first fenced picture below the heading "The layers", and the sentence "A stands on B, C on D" behind it.
  init(markdown: String) {
    guard let layers = markdown.range(of: "## The layers") else { return }
    let blocks = markdown[layers.upperBound...].components(separatedBy: "```")
    guard blocks.count > 2 else { return }
    for line in blocks[1].split(separator: "\n") {
      let level = line.first.flatMap { Int(String($0)) } ?? -1
      let names = line.drop { !$0.isLetter }.prefix { $0 != "─" }
      for word in names.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "-" }) {
        height[String(word)] = level
      }
    }
    let sentence = blocks[2].prefix { $0 != "#" }
    let pattern = try? NSRegularExpression(pattern: #"(\w+)(?: stands)? on (\w+)"#)
    let text = String(sentence)
    for match in pattern?.matches(in: text, range: NSRange(text.startIndex..., in: text)) ?? [] {
      let names = (1...2).compactMap { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
      neighbours.insert(names)
    }
  }

  /// Whether one module may import another; both stand in the picture.
  func allows(_ importer: String, _ imported: String) -> Bool {
    guard let above = height[importer], let below = height[imported] else { return false }
    return below < above || neighbours.contains([importer, imported])
  }

  /// The module that a file belongs to, by its path; `nil` outside of Sources and Plugins.
  static func module(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    switch (parts.first, parts.count) {
    case ("Plugins", 3...): return "Plugins"
    case ("Sources", 3...):
      switch parts[1] {
      case "Servers", "C": return parts[2]
      case "Features":
        return parts.count > 4
          ? [
            "Command": "FeatureCommands", "Conformance": "FeatureChecks", "Contract": "Contracts",
            "Extension": "AppExtensions", "Host": "HostServices",
          ][parts[3]] : nil
      default: return parts[1]
      }
    default: return nil
    }
  }
}
