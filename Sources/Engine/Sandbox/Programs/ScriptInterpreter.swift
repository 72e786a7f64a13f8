import Files
import Text

/// What a script needs besides itself: the interpreter that its first line names, and the directories of the
/// interpreter's library.
package enum ScriptInterpreter {
  /// What interpreters read from places that do not have their names, as Debian installs them. A file of settings that
  /// may be missing, but must not be refused.
  private static let companions = [
    "node": ["/usr/share/nodejs", "/etc/ssl/openssl.cnf"], "perl": ["/usr/share/perl5", "/usr/lib/perl5"],
  ]

  /// The first line of a script after `#!`; nil for what is none.
  ///
  /// - Parameter start: The first bytes of the file.
  static func firstLine(_ start: [UInt8]) -> ArraySlice<UInt8>? {
    guard start.starts(with: "#!".utf8) else { return nil }
    return start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
  }

  /// The absolute path in the first line of a script; nil for everything else.
  package static func path(of script: String) -> String? {
    firstLine(File.prefix(of: script, limit: 4096) ?? []).flatMap { path(inLine: $0) }
  }

  /// The interpreter that a manifest should name for a script; nil for what is none.
  ///
  /// - Parameter script: Absolute path. Where its first line asks `env`, what that would find in the system's folders.
  package static func advised(for script: String) -> String? {
    guard let line = firstLine(File.prefix(of: script, limit: 256) ?? []) else { return nil }
    let words = line.split(whereSeparator: { " \t\r".utf8.contains($0) }).map { String(decoding: $0, as: UTF8.self) }
    guard let first = words.first, first.hasSuffix("/env") else { return words.first ?? "" }
    // Without a name it would be the folder that is found.
    guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }) else { return first }
    let found = ["/usr/local/bin", "/usr/bin", "/bin"].map { "\($0)/\(name)" }
      .first { !name.utf8.contains(UInt8(ascii: "/")) && FileStatus($0, followsLink: true)?.isExecutable == true }
    return found ?? "/usr/bin/\(name)"
  }

  static func path(inLine line: ArraySlice<UInt8>) -> String? {
    let words = line.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    guard let word = words.first, word.first == UInt8(ascii: "/") else { return nil }
    return String(decoding: word, as: UTF8.self)
  }

  /// The program that an interpreter's path leads to: the sandbox starts none through a link.
  package static func program(_ interpreter: String) -> String { ResolvedPath(interpreter)?.path ?? interpreter }

  /// Returns the paths that an interpreter has to read, for `SandboxPolicy.readOnlyPaths`.
  ///
  /// - Parameters:
  ///   - interpreter: its absolute path, which may be a link.
  ///   - isAbandoned: returns whether the caller no longer needs the answer.
  /// - Returns: the paths; empty when there is no such program.
  /// - Throws: `bundleInvalid` when the program names more libraries than are searched, or when the search was
  ///   abandoned.
  package static func readOnlyPaths(
    of interpreter: String, isAbandoned: () -> Bool = { false }
  ) throws(SandboxError) -> [String] {
    guard let program = ResolvedPath(interpreter)?.path, ELFImage(path: program) != nil else { return [] }
    let environment = InterpreterEnvironment(interpreter: interpreter, program: program)
    return try [interpreter] + ProgramLibraries.readOnlyPaths(of: program, isAbandoned: isAbandoned)
      + systemFolders(of: program) + (environment.base.map(systemFolders) ?? []) + environment.paths
  }

  /// What is read besides the interpreter and the folders of the system: an environment of the user's own, for people to
  /// see.
  package static func environment(of interpreter: String) -> [String] {
    guard let program = ResolvedPath(interpreter)?.path else { return [] }
    return InterpreterEnvironment(interpreter: interpreter, program: program).paths
  }

  /// The folders that have the interpreter's name where root installs programs. Elsewhere such a folder may be anything
  /// of the user's: `~/.local/share/NAME` is where programs keep what is private.
  private static func systemFolders(of program: String) -> [String] {
    let parts = program.pathParts().map(String.init)
    guard let name = parts.last, parts.count >= 2 else { return [] }
    let prefix = parts.dropLast(2).map { "/" + $0 }.joined()
    // /usr/bin/python3.11 has /usr/lib/python3.11, and /usr/lib/python3 of all versions.
    let names = Set([name, name.beforeLast("."), name.trimmedOfVersion]).sorted()
    let directories = names.flatMap { name in ["lib", "lib64", "share"].map { "\(prefix)/\($0)/\(name)" } }
    return directories.filter {
      FileStatus($0)?.kind == .directory && PlaceRules.isOfSystem(ResolvedPath($0)?.path ?? "/")
    }
      + names.flatMap { Self.companions[$0] ?? [] }.filter { FileStatus($0) != nil }
  }
}

extension String {
  fileprivate func beforeLast(_ separator: Character) -> String {
    lastIndex(of: separator).map { String(self[..<$0]) } ?? self
  }

  /// Without digits and dots at the end: `python` of `python3.11`.
  fileprivate var trimmedOfVersion: String {
    var name = self[...]
    while let last = name.last, last.isNumber || last == ".", name.count > 1 { name.removeLast() }
    return String(name)
  }
}
