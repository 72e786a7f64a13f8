/// What the value of an option or argument may be.
package enum ValueHint: Sendable, Hashable {
  case anything
  /// One of these words; others are a usage error.
  case choices([String])
  /// These words are offered by completions, but any value is accepted.
  case suggestions([String])
  /// A path to a file.
  case file
  /// A path to a folder.
  case directory

  /// The words that completions offer.
  package var words: [String] {
    switch self {
    case .choices(let words), .suggestions(let words): words
    case .anything, .file, .directory: []
    }
  }
}
