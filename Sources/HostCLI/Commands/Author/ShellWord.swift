/// A word of a command that somebody may paste into a shell.
enum ShellWord {
  /// The word as the shell needs it to be one word and nothing else.
  static func quoted(_ word: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+/:@%,="
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'\(word.replacing("'", with: "'\\''"))'"
  }
}
