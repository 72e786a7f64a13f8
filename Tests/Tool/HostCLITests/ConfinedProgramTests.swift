import ExtensionProtocol
import Files
import Foundation
import TestSupport
import Testing

@testable import HostCLI

/// The program of `host sandbox run`.
@Suite(.timeLimit(.minutes(1)))
struct `A program for the sandbox` {
  private let folder: TemporaryDirectory
  /// The folder without links.
  private let root: String

  init() throws {
    folder = try TemporaryDirectory()
    root = try #require(File.resolved(folder.path))
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
  }

  private func write(_ name: String, _ bytes: Data, mode: Int = 0o755) throws -> String {
    let path = "\(root)/\(name)"
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func program(_ name: String, mode: Int = 0o755) throws -> String {
    try write(name, Data(contentsOf: URL(fileURLWithPath: "/bin/true")), mode: mode)
  }

  private func script(_ name: String, _ text: String, mode: Int = 0o644) throws -> String {
    try write(name, Data(text.utf8), mode: mode)
  }

  private func error(_ command: String..., interpreter: String? = nil, search: String = "") -> ExtensionError? {
    do throws(ExtensionError) {
      _ = try ConfinedProgram(command: command, interpreter: interpreter, search: search)
      return nil
    } catch {
      return error
    }
  }

  // MARK: A program

  @Test func `keeps the name that it was given, in a folder without links, and is the file itself`() throws {
    let file = try program("a/tool")
    try FileManager.default.createSymbolicLink(atPath: "\(root)/a/other", withDestinationPath: "tool")
    try FileManager.default.createSymbolicLink(atPath: "\(root)/link", withDestinationPath: "a")
    let found = try ConfinedProgram(command: ["\(root)/link/other", "-x", "y z"], interpreter: nil, search: "")
    #expect(found.name == "\(root)/a/other" && found.path == file)
    #expect(found.arguments == ["-x", "y z"])
    // It reads the link and its libraries; the file itself is granted for executing.
    #expect(found.readOnlyPaths.contains("\(root)/a/other") && !found.readOnlyPaths.contains(file))
  }

  @Test func `without a slash is the first of the search that can be executed`() throws {
    _ = try program("a/tool", mode: 0o644)
    try FileManager.default.createDirectory(atPath: "\(root)/a/both", withIntermediateDirectories: true)
    for name in ["tool", "both"] {
      let file = try program("b/\(name)")
      let found = try ConfinedProgram(command: [name], interpreter: nil, search: "\(root)/a:\(root)/b")
      #expect(found.path == file)
    }
    let first = try program("a/twice")
    _ = try program("b/twice")
    let found = try ConfinedProgram(command: ["twice"], interpreter: nil, search: ":.:\(root)/a:\(root)/b")
    #expect(found.path == first)
  }

  @Test func `is looked for in absolute folders only`() throws {
    _ = try program("a/tool")
    #expect(error("tool", search: "a:./a:")?.code == .extensionUnknown)
    #expect(error("tool", search: "")?.message == "There is no program “tool”.")
  }

  @Test(arguments: ["", "/", "/nonexistent/tool", "/dev/null"]) func `is a file that is there`(name: String) {
    let found = error(name, search: "/:/dev")
    #expect(found?.code == .extensionUnknown)
    #expect(found?.message == "There is no program “\(name)”.")
  }

  // MARK: A script

  @Test func `is the interpreter of a script, which is its first argument and is read`() throws {
    let interpreter = try program("a/runs")
    let file = try script("b/script", "one\n")
    try FileManager.default.createSymbolicLink(atPath: "\(root)/b/link", withDestinationPath: "script")
    let found = try ConfinedProgram(
      command: ["\(root)/b/link", "x"], interpreter: "runs", search: "\(root)/a")
    #expect(found.path == interpreter && found.name == interpreter)
    #expect(found.arguments == [file, "x"])
    #expect(found.readOnlyPaths.contains(file) && !found.readOnlyPaths.contains(interpreter))
  }

  @Test func `that is a script need not be executable where it is named by its path`() throws {
    _ = try program("a/runs")
    let file = try script("b/script", "one\n")
    #expect(
      try ConfinedProgram(command: [file], interpreter: "\(root)/a/runs", search: "").arguments == [file])
    #expect(error("script", interpreter: "\(root)/a/runs", search: "\(root)/b")?.code == .extensionUnknown)
  }

  @Test func `that is a script without an interpreter is refused with the one that it names`() throws {
    let file = try script("b/script", "#! /nonexistent/python3 -u\n", mode: 0o755)
    let found = error(file)
    #expect(found?.code == .extensionInvalid)
    #expect(
      found?.message == "\(file) is a script for /nonexistent/python3, and a sandbox starts one program only.")
    #expect(found?.recovery == "Add --interpreter /nonexistent/python3.")
  }

  @Test func `advises the program itself where a script names a link to its interpreter`() throws {
    let interpreter = try program("a/python3.11")
    try FileManager.default.createSymbolicLink(atPath: "\(root)/a/python", withDestinationPath: "python3.11")
    let file = try script("b/script", "#!\(root)/a/python\n", mode: 0o755)
    #expect(error(file)?.recovery == "Add --interpreter \(interpreter).")
  }

  @Test func `advises what “env” would find where a script asks it`() throws {
    let file = try script("b/script", "#!/nonexistent/env python3\n", mode: 0o755)
    #expect(
      error(file)?.recovery
        == "Add --interpreter PATH, where PATH is that of the program which “env” would find.")
    // Only the whole name of the file is that.
    let other = try script("b/other", "#!/env/nonexistent\n", mode: 0o755)
    #expect(error(other)?.recovery == "Add --interpreter /env/nonexistent.")
  }

  @Test(arguments: ["one\n", "#!\n", "#!python3\n", ""]) func `is no text that names no interpreter`(text: String)
    throws
  {
    let file = try script("b/script", text, mode: 0o755)
    let found = error(file)
    #expect(found?.code == .extensionInvalid)
    #expect(
      found?.message == "\(file) is neither a program for this machine nor a script that names its interpreter.")
    #expect(found?.recovery?.hasSuffix("add --interpreter PATH.") == true)
  }

  @Test func `is no interpreter that is a script itself`() throws {
    let interpreter = try script("a/runs", "#!/nonexistent/sh\n", mode: 0o755)
    let file = try script("b/script", "one\n")
    #expect(error(file, interpreter: interpreter)?.message.hasPrefix("\(interpreter) is a script for") == true)
    #expect(error(file, interpreter: "\(root)/a/none")?.code == .extensionUnknown)
  }
}
