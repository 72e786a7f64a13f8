import Text

/// Completion lines for fish 3 and later.
struct FishCompletion {
  private let root: Command

  init(_ root: Command) { self.root = root }

  var script: String {
    let nodes = CompletionNode.all(root)
    let paths = nodes.dropFirst().map { shellQuotedForFish($0.path) }.joined(separator: " ")
    let header = """
      # Completions of \(root.name) for fish: put this file into ~/.config/fish/completions as \(root.name).fish.
      function __\(root.name)_path_is
        set -l path \(shellQuotedForFish(root.name))
        for word in (commandline -opc)[2..-1]
          if contains -- "$path $word" \(paths)
            set path "$path $word"
          end
        end
        test "$path" = "$argv[1]"
      end
      complete -c \(root.name) -f

      """
    return header + nodes.flatMap(lines).joined(separator: "\n") + "\n"
  }

  private func lines(_ node: CompletionNode) -> [String] {
    let condition = shellQuotedForFish("__\(root.name)_path_is \(shellQuotedForFish(node.path))")
    let start = "complete -c \(root.name) -n \(condition)"
    let commands = node.command.visibleSubcommands.map { child in
      "\(start) -a \(shellQuotedForFish(child.name)) -d \(shellQuotedForFish(child.summary))"
    }
    let values = node.command.arguments.flatMap(\.values.words)
    let words = values.isEmpty ? [] : ["\(start) -a \(shellQuotedForFish(values.joined(separator: " ")))"]
    let printed = node.sources.map { "\(start) -a \(shellQuotedForFish(Self.command(root, $0)))" }
    let paths = node.takesPaths ? ["\(start) -F"] : []
    return commands + words + printed + paths + node.options.map { "\(start) \(line($0))" }
  }

  private func line(_ option: CommandOption) -> String {
    var parts = ["-l \(option.name)"]
    if let short = option.short { parts.append("-s \(short)") }
    if option.takesValue {
      switch option.values {
      case .anything: parts.append("-x")
      case .choices(let words), .suggestions(let words):
        parts.append("-x -a \(shellQuotedForFish(words.joined(separator: " ")))")
      case .printed(let words): parts.append("-x -a \(shellQuotedForFish(Self.command(root, words)))")
      case .file: parts.append("-r -F")
      case .directory: parts.append("-x -a '(__fish_complete_directories)'")
      }
    }
    parts.append("-d \(shellQuotedForFish(option.summary))")
    return parts.joined(separator: " ")
  }

  private static func command(_ root: Command, _ words: [String]) -> String {
    "(\(root.name) \(words.joined(separator: " ")) 2>/dev/null)"
  }

  /// The text between single quotes for fish, where a backslash escapes a quote inside.
  private func shellQuotedForFish(_ text: String) -> String { "'\(text.escaping("'", "\\", with: "\\"))'" }
}
