import Text

/// One pass over the words of a command line, which finds the command, its options and its arguments.
struct CommandLineScan {
  /// An option as it was found, before it is known whether the command has it.
  private struct Occurrence {
    let option: CommandOption
    /// As the user spelt it, for messages.
    let spelling: String
    /// `nil` for a flag.
    let value: String?
  }

  /// From the root to the command selected so far.
  private(set) var commands: [Command]
  /// The words after `help`, when that is the command.
  private(set) var helpTopic: [String]?
  private var occurrences: [Occurrence] = []
  private var words: [String] = []

  init(root: Command) { commands = [root] }

  private var command: Command { commands[commands.count - 1] }
  private var tool: String { commands.map(\.name).joined(separator: " ") }
  /// The options of the selected command and those it inherits.
  private var ownOptions: [CommandOption] { commands.reversed().flatMap(\.options) + [.help, .version] }

  func has(_ option: CommandOption) -> Bool { occurrences.contains { $0.option == option } }

  // MARK: Reading

  mutating func read(_ line: [String]) throws(CommandLineError) {
    var rest = line[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || !looksLikeOption(word) {
        try readWord(word, optionsEnded: optionsEnded)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try readLong(word, &rest)
      } else {
        try readShort(word, &rest)
      }
    }
  }

  /// A dash alone is an argument; so is a negative number, unless the digit is an option.
  private func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    guard let first = word.dropFirst().first, first.isNumber || first == "." else { return true }
    return option(short: first) != nil
  }

  private mutating func readWord(_ word: String, optionsEnded: Bool) throws(CommandLineError) {
    if helpTopic != nil {
      helpTopic?.append(word)
    } else if words.isEmpty, !optionsEnded || command.arguments.isEmpty, let next = command.subcommand(named: word) {
      commands.append(next)
    } else if words.isEmpty, commands.count == 1, word == "help", !optionsEnded {
      helpTopic = []
    } else if !command.subcommands.isEmpty, command.arguments.isEmpty {
      throw .unknownCommand(word, of: commands)
    } else {
      words.append(word)
    }
  }

  private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandLineError) {
    let parts = word.unicodeScalars.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let name = parts.first ?? ""
    guard let option = option(named: name) else {
      throw .unknownOption("--\(name)", of: commands, candidates: reachableOptions)
    }
    try add(option, spelling: "--\(name)", attached: parts.count > 1 ? parts[1] : nil, &rest)
  }

  private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>) throws(CommandLineError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = option(short: letter) else {
        throw .unknownOption("-\(letter)", of: commands, candidates: reachableOptions)
      }
      var attached: String?
      if option.takesValue, !letters.isEmpty {
        attached = String(letters.first == "=" ? letters.dropFirst() : letters)
        letters = ""
      }
      try add(option, spelling: "-\(letter)", attached: attached, &rest)
    }
  }

  private mutating func add(
    _ option: CommandOption, spelling: String, attached: String?, _ rest: inout ArraySlice<String>
  ) throws(CommandLineError) {
    guard case .value(let name) = option.kind else {
      guard attached == nil else {
        throw CommandLineError("\(spelling) takes no value.", help: "Write \(spelling) alone.")
      }
      occurrences.append(Occurrence(option: option, spelling: spelling, value: nil))
      return
    }
    var value = attached
    if value == nil, let next = rest.first, !looksLikeOption(next) { value = rest.popFirst() }
    guard let value else {
      throw CommandLineError(
        "\(spelling) needs a value.",
        help: "Write --\(option.name) \(name), or --\(option.name)=\(name) when the value begins with a dash.")
    }
    occurrences.append(Occurrence(option: option, spelling: spelling, value: value))
  }

  // MARK: Finding options

  /// Options that the line may still turn out to mean: those of the path, then those of the commands below.
  private var reachableOptions: [CommandOption] {
    ownOptions + command.subcommands.flatMap(\.descendants).flatMap(\.options)
  }

  private func option(named name: String) -> CommandOption? { reachableOptions.first { $0.name == name } }
  private func option(short: Character) -> CommandOption? { reachableOptions.first { $0.short == short } }

  // MARK: Checking

  func optionValues(environment: [String: String]) throws(CommandLineError) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for occurrence in occurrences {
      // An option read before its command may have been another command's option of that name.
      let long = occurrence.spelling.hasPrefix("--")
      let own = ownOptions.first { long ? $0.name == occurrence.option.name : $0.short == occurrence.option.short }
      guard let own, own.takesValue == occurrence.option.takesValue else {
        throw .unknownOption(occurrence.spelling, of: commands, candidates: ownOptions)
      }
      if let refusal = own.refusal {
        throw CommandLineError(
          "\(occurrence.spelling) is refused: every user of this machine can read a command line.", help: refusal)
      }
      if let value = occurrence.value {
        try check(value, own.values, of: occurrence.spelling)
        guard own.isRepeatable || found[own.name] == nil else {
          throw CommandLineError("\(occurrence.spelling) is given twice.", help: "Give --\(own.name) once.")
        }
      }
      found[own.name, default: []].append(occurrence.value ?? "")
    }
    for option in ownOptions where option.takesValue && found[option.name] == nil {
      if let name = option.environment, let value = environment[name], !value.isEmpty {
        try check(value, option.values, of: "the environment variable \(name)")
        found[option.name] = [value]
      } else if let value = option.defaultValue {
        found[option.name] = [value]
      }
    }
    return found
  }

  func argumentValues() throws(CommandLineError) -> [String: [String]] {
    guard command.subcommands.isEmpty || !command.arguments.isEmpty else {
      let names = command.visibleSubcommands.map(\.name).joined(separator: ", ")
      throw CommandLineError("\(tool) needs a command: \(names).", help: "Run “\(tool) --help” to see what each does.")
    }
    var rest = words[...]
    var found: [String: [String]] = [:]
    for (index, argument) in command.arguments.enumerated() {
      let taken: ArraySlice<String>
      switch argument.arity {
      case .required, .optional: taken = rest.prefix(1)
      case .any, .some: taken = rest.dropLast(command.arguments.count - index - 1)
      }
      guard !taken.isEmpty || argument.arity == .optional || argument.arity == .any else {
        throw CommandLineError("\(tool) needs \(argument.name).", help: "Write \(Help.usage(commands)).")
      }
      for word in taken { try check(word, argument.values, of: argument.name) }
      if !taken.isEmpty { found[argument.name] = Array(taken) }
      rest = rest.dropFirst(taken.count)
    }
    if let extra = rest.first {
      throw CommandLineError(
        "\(tool) does not take “\(extra.escapedForTerminal)”.", help: "Write \(Help.usage(commands)).")
    }
    return found
  }

  private func check(_ value: String, _ hint: ValueHint, of subject: String) throws(CommandLineError) {
    guard case .choices(let words) = hint, !words.contains(value) else { return }
    let suggestion = didYouMean(nearMisses(of: value, in: words))
    throw CommandLineError(
      "“\(value.escapedForTerminal)” is not a value for \(subject).",
      help: suggestion ?? "It takes one of: \(words.joined(separator: ", ")).")
  }
}
