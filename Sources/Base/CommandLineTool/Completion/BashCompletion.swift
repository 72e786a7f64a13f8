/// A completion function for bash 4 and later.
struct BashCompletion {
  private let root: Command

  init(_ root: Command) { self.root = root }

  var script: String {
    let nodes = CompletionNode.all(root)
    let function = "_\(root.name)_completions"
    return """
      # Completions of \(root.name) for bash: source this file, or put it into bash-completion's folder.
      \(function)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path=\(shellQuoted(root.name)) i
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          case "$path ${COMP_WORDS[i]}" in
            \(nodes.dropFirst().map { shellQuoted($0.path) }.joined(separator: "|"))) path="$path ${COMP_WORDS[i]}" ;;
          esac
        done
        case "$path $previous" in
      \(nodes.flatMap(valueCases).joined(separator: "\n"))
        esac
        if [[ $current == -* ]]; then
          case "$path" in
      \(nodes.map { "      \(shellQuoted($0.path))) \(reply(optionWords($0))) ;;" }.joined(separator: "\n"))
          esac
          return
        fi
        case "$path" in
      \(nodes.map(wordCase).joined(separator: "\n"))
        esac
      }
      complete -F \(function) \(root.name)

      """
  }

  private func valueCases(_ node: CompletionNode) -> [String] {
    node.options.filter(\.takesValue).map { option in
      let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
      let pattern = names.map { shellQuoted("\(node.path) \($0)") }.joined(separator: "|")
      return "    \(pattern)) \(action(option.values)) return ;;"
    }
  }

  private func wordCase(_ node: CompletionNode) -> String {
    var actions = [reply(node.words)] + node.sources.map { "COMPREPLY+=(\(printed($0)));" }
    if node.takesPaths { actions.append("COMPREPLY+=($(compgen -f -- \"$current\"));") }
    return "    \(shellQuoted(node.path))) \(actions.joined(separator: " ")) ;;"
  }

  private func optionWords(_ node: CompletionNode) -> [String] {
    node.options.flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) }
  }

  private func action(_ hint: ValueHint) -> String {
    switch hint {
    case .anything: ":;"
    case .choices(let words), .suggestions(let words): reply(words)
    case .printed(let words): "COMPREPLY=(\(printed(words)));"
    case .file: "COMPREPLY=($(compgen -f -- \"$current\"));"
    case .directory: "COMPREPLY=($(compgen -d -- \"$current\"));"
    }
  }

  private func printed(_ words: [String]) -> String {
    "$(compgen -W \"$(\(root.name) \(words.joined(separator: " ")) 2>/dev/null)\" -- \"$current\")"
  }

  private func reply(_ words: [String]) -> String {
    "COMPREPLY=($(compgen -W \(shellQuoted(words.joined(separator: " "))) -- \"$current\"));"
  }
}
