/// What a user would do to see an extension of a point work: the words of a command of this tool.
enum PointTrial {
  /// - Returns: the words after the tool's name; `host conform` where the point needs a file or a dialogue.
  static func words(for point: String, _ identifier: String) -> [String] {
    switch point {
    case "today": ["today", identifier]
    case "share": ["share", "--with", identifier, "--text", "A text to share", "--post", "See you there"]
    case "action", "action-ui": ["action", "--with", identifier, "--text", "A text with five words"]
    default: ["conform", identifier]
    }
  }
}
