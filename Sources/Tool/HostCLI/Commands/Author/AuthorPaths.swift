import CommandRuntime

/// The files of an author that `host dev` runs copies of, as it tells the commands that it starts: a variable of the
/// environment with a copy and its original in turn, a path a line.
enum AuthorPaths {
  static let variable = Invocation.authorVariable

  /// The pairs that the environment holds; what has no pair is left out.
  static func read(_ environment: [String: String]) -> [(copy: String, original: String)] {
    let lines = (environment[variable] ?? "").split(separator: "\n").map(String.init)
    return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], lines[$0 + 1]) }
  }

  /// The pairs as a value of the variable. A path with a line end would be another one, and is left out.
  static func text(_ pairs: [(copy: String, original: String)]) -> String {
    pairs.filter { !"\($0.copy)\($0.original)".contains("\n") }.map { "\($0.copy)\n\($0.original)" }
      .joined(separator: "\n")
  }
}
