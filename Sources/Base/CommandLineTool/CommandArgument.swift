/// A positional argument of a command.
package struct CommandArgument: Sendable, Hashable {
  /// How many words the argument takes.
  package enum Arity: Sendable, Hashable {
    case required
    case optional
    /// Any number of words, none included. Only required arguments may follow.
    case any
    /// One word or more. Only required arguments may follow.
    case some
  }

  /// The name in help, in capitals by custom (`FILE`).
  package let name: String
  /// How many words it takes.
  package let arity: Arity
  /// One sentence without a final stop.
  package let summary: String
  /// What the argument completes to, and, for choices, the only values accepted.
  package let values: ValueHint

  /// Creates an argument; by default it is required and may be any text.
  package init(_ name: String, _ summary: String, _ arity: Arity = .required, values: ValueHint = .anything) {
    self.name = name
    self.arity = arity
    self.summary = summary
    self.values = values
  }

  /// The argument as a usage line shows it: `FILE`, `[FILE]`, `[FILE…]`, `FILE…`.
  package var label: String {
    switch arity {
    case .required: name
    case .optional: "[\(name)]"
    case .any: "[\(name)…]"
    case .some: "\(name)…"
    }
  }
}

/// What the value of an option or argument may be.
package enum ValueHint: Sendable, Hashable {
  case anything
  /// One of these words; others are a usage error.
  case choices([String])
  /// These words are offered by completions, but any value is accepted.
  case suggestions([String])
  /// Words that the tool prints when it is run with these, one a line: they depend on what is there. Any value is
  /// accepted.
  case printed(by: [String])
  /// A path to a file.
  case file
  /// A path to a folder.
  case directory

  /// The words that completions offer.
  package var words: [String] {
    switch self {
    case .choices(let words), .suggestions(let words): words
    case .anything, .printed, .file, .directory: []
    }
  }
}
