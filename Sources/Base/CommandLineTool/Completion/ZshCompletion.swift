import Text

/// A completion function for zsh.
struct ZshCompletion {
  private let root: Command

  init(_ root: Command) { self.root = root }

  var script: String {
    let nodes = CompletionNode.all(root)
    let function = "_\(root.name)"
    return """
      #compdef \(root.name)
      # Completions of \(root.name) for zsh: put this file into a folder of $fpath as \(function).
      \(function)() {
        local path_=\(shellQuoted(root.name)) i previous="${words[CURRENT-1]}"
        for ((i = 2; i < CURRENT; i++)); do
          case "$path_ ${words[i]}" in
            \(nodes.dropFirst().map { shellQuoted($0.path) }.joined(separator: "|"))) path_="$path_ ${words[i]}" ;;
          esac
        done
        case "$path_ $previous" in
      \(nodes.flatMap(valueCases).joined(separator: "\n"))
        esac
        local -a options_ words_
        case "$path_" in
      \(nodes.map(nodeCase).joined(separator: "\n"))
        esac
        if [[ ${words[CURRENT]} == -* ]]; then
          _describe -o option options_
        fi
      }
      if [[ ${funcstack[1]} == \(function) ]]; then \(function) "$@"; else compdef \(function) \(root.name); fi

      """
  }

  private func nodeCase(_ node: CompletionNode) -> String {
    let options = node.options.flatMap { option in
      (["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])).map { described($0, option.summary) }
    }
    let commands = node.command.visibleSubcommands.map { described($0.name, $0.summary) }
    let values = node.command.arguments.flatMap(\.values.words).map(shellQuoted)
    let words = (commands + values).joined(separator: " ")
    var lines = ["    \(shellQuoted(node.path)))", "      options_=(\(options.joined(separator: " ")))"]
    if !words.isEmpty { lines.append("      words_=(\(words)); _describe word words_") }
    for source in node.sources { lines.append("      \(printed(source))") }
    if node.takesPaths { lines.append("      _files") }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private func valueCases(_ node: CompletionNode) -> [String] {
    node.options.filter(\.takesValue).map { option in
      let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
      let pattern = names.map { shellQuoted("\(node.path) \($0)") }.joined(separator: "|")
      return "    \(pattern)) \(action(option.values)); return ;;"
    }
  }

  private func action(_ hint: ValueHint) -> String {
    switch hint {
    case .anything: "_message value"
    case .choices(let words), .suggestions(let words):
      "local -a values_=(\(words.map(shellQuoted).joined(separator: " "))); _describe value values_"
    case .printed(let words): printed(words)
    case .file: "_files"
    case .directory: "_files -/"
    }
  }

  private func printed(_ words: [String]) -> String {
    "compadd -- ${(f)\"$(\(root.name) \(words.joined(separator: " ")) 2>/dev/null)\"}"
  }

  /// `word:description` with the colons of the word escaped, as `_describe` reads it.
  private func described(_ word: String, _ summary: String) -> String {
    shellQuoted(word.escaping(":", with: "\\") + ":" + summary)
  }
}
