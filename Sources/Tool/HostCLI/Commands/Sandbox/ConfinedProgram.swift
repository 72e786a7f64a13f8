import ExtensionProtocol
import Files
import Glibc
import Sandbox

/// A command as a sandbox can start it: the one program that is executed, what it is told, and what it must read.
struct ConfinedProgram: Equatable {
  /// Absolute, without links.
  let path: String
  /// As it was named, which may be by a link: an interpreter knows by it which virtual environment it belongs to.
  let name: String
  let arguments: [String]
  let readOnlyPaths: [String]

  /// - Parameters:
  ///   - command: a program and its arguments; a program without a slash is looked for as a shell would.
  ///   - interpreter: the program that runs `command`, which is a script then.
  ///   - search: the folders for programs without a slash, as in `PATH`.
  /// - Throws: `extensionUnknown` when there is no such program, `extensionInvalid` for a script without interpreter.
  init(command: [String], interpreter: String?, search: String) throws(ExtensionError) {
    let file = try Self.find(command.first ?? "", search: search)
    guard let interpreter else {
      let needed = try Self.needed(by: file)
      guard needed.isEmpty else {
        self.init(name: file, arguments: Array(command.dropFirst()), readOnlyPaths: needed)
        return
      }
      throw Self.notAProgram(file)
    }
    let program = try Self.find(interpreter, search: search)
    let needed = try Self.needed(by: program)
    guard !needed.isEmpty else { throw Self.notAProgram(program) }
    let script = ScriptInterpreter.program(file)
    self.init(name: program, arguments: [script] + command.dropFirst(), readOnlyPaths: needed + [script])
  }

  private init(name: String, arguments: [String], readOnlyPaths: [String]) {
    let path = ScriptInterpreter.program(name)
    self.path = path
    self.name = name
    self.arguments = arguments
    self.readOnlyPaths = readOnlyPaths.filter { $0 != path }
  }

  private static func needed(by program: String) throws(ExtensionError) -> [String] {
    do throws(SandboxError) {
      return try ScriptInterpreter.readOnlyPaths(of: program)
    } catch {
      throw ExtensionError(.extensionInvalid, error.message, recovery: error.recovery)
    }
  }

  private static func find(_ name: String, search: String) throws(ExtensionError) -> String {
    let candidates: [String]
    if name.contains("/") {
      candidates = [Folder.path(name)]
    } else {
      candidates = search.split(separator: ":").filter(Folder.isAbsolute).map { "\($0)/\(name)" }
    }
    if let found = candidates.first(where: { !name.isEmpty && access($0, X_OK) == 0 && isFile($0) }) {
      return plain(found)
    }
    // A script need not be executable itself.
    if let found = candidates.first(where: { name.contains("/") && access($0, R_OK) == 0 && isFile($0) }) {
      return plain(found)
    }
    throw ExtensionError(
      .extensionUnknown, "There is no program “\(name)”.",
      recovery: "Give the path of a program, or the name of one that PATH leads to.")
  }

  /// In a folder without links: the file itself may be one.
  private static func plain(_ path: String) -> String {
    guard let folder = File.resolved(Folder.parent(of: path)) else { return path }
    return "\(folder == "/" ? "" : folder)/\(Folder.name(of: path))"
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func notAProgram(_ file: String) -> ExtensionError {
    guard let interpreter = ScriptInterpreter.path(of: file) else {
      return ExtensionError(
        .extensionInvalid, "\(file) is neither a program for this machine nor a script that names its interpreter.",
        recovery: "Name a program; for a script without a first line “#!…” add --interpreter PATH.")
    }
    let name = ScriptInterpreter.program(interpreter)
    let isEnv = name.hasSuffix("/env")
    let place = isEnv ? "PATH, where PATH is that of the program which “env” would find" : name
    return ExtensionError(
      .extensionInvalid, "\(file) is a script for \(interpreter), and a sandbox starts one program only.",
      recovery: "Add --interpreter \(place).")
  }
}
