import CommandLineTool
import ExtensionProtocol
import Files
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

@testable import HostCLI

/// Where the tool finds the program with the other commands.
@Suite(.timeLimit(.minutes(1)))
struct `The second program` {
  private let folder: TemporaryDirectory
  private let root: String
  private var program: SecondProgram { SecondProgram(own: "\(root)/bin/host") }

  init() throws {
    folder = try TemporaryDirectory()
    root = try #require(File.resolved(folder.path))
    for name in ["bin", "libexec/annex"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    try write("bin/host")
  }

  private func write(_ name: String, mode: Int = 0o755) throws {
    try Data("a program".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
    try setMode(name, mode)
  }

  private func setMode(_ name: String, _ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(root)/\(name)")
  }

  private func error() -> ExtensionError? {
    do throws(ExtensionError) {
      _ = try program.find()
      return nil
    } catch {
      return error
    }
  }

  @Test func `is beside this one, else where an installation has it`() throws {
    try write("libexec/annex/host-services")
    #expect(try program.find() == "\(root)/libexec/annex/host-services")
    try write("bin/host-services")
    #expect(try program.find() == "\(root)/bin/host-services")
  }

  @Test func `is what a link leads to`() throws {
    try write("libexec/real")
    try FileManager.default.createSymbolicLink(
      atPath: "\(root)/bin/host-services", withDestinationPath: "../libexec/real")
    #expect(try program.find() == "\(root)/libexec/real")
    // The link's file counts: who can change that can change the program.
    try setMode("libexec/real", 0o777)
    #expect(error()?.message == "Other users can write to \(root)/libexec/real.")
  }

  @Test func `is named in both places when it is in none`() {
    #expect(error()?.code == .serviceUnavailable)
    #expect(
      error()?.message
        == "This command needs the program host-services, and there is neither \(root)/bin/host-services nor "
        + "\(root)/bin/../libexec/annex/host-services.")
  }

  @Test func `is a file that can be executed`() throws {
    try write("bin/host-services", mode: 0o644)
    #expect(error()?.message == "\(root)/bin/host-services cannot be executed.")
    try FileManager.default.removeItem(atPath: "\(root)/bin/host-services")
    try FileManager.default.createDirectory(
      atPath: "\(root)/bin/host-services", withIntermediateDirectories: false)
    #expect(error()?.message == "\(root)/bin/host-services cannot be executed.")
  }

  private static let modes: [(own: Int, second: Int, isFound: Bool)] = [
    (0o755, 0o755, true), (0o755, 0o700, true), (0o755, 0o775, false), (0o755, 0o757, false),
    // No easier to change than the tool itself.
    (0o775, 0o775, true), (0o775, 0o755, true), (0o777, 0o775, true),
    // Everybody may never write to it.
    (0o777, 0o777, false), (0o757, 0o757, false), (0o775, 0o757, false),
  ]

  @Test(arguments: modes) func `is no easier to change than the tool`(own: Int, second: Int, isFound: Bool) throws {
    try write("bin/host-services", mode: second)
    try setMode("bin/host", own)
    #expect((error() == nil) == isFound)
    #expect(isFound || error()?.recovery == "Run “chmod go-w \(root)/bin/host-services”.")
  }

  /// What is printed.
  private final class Said: Sendable {
    private let text = Mutex("")
    var value: String { text.withLock { $0 } }

    func add(_ more: String) { text.withLock { $0 += more } }
  }

  @Test(arguments: [true, false])
  func `is missed in words, or in JSON that a program can read`(showsUnicode: Bool) throws {
    let error = ExtensionError(.serviceUnavailable, "“a” → b", recovery: "Run “chmod go-w a”.")
    let (output, errors) = (Said(), Said())
    let console = Console(showsUnicode: showsUnicode, output: { output.add($0) }, errors: { errors.add($0) })
    #expect(SecondProgram.report(error, json: true, on: console) == .unavailable && errors.value == "")
    let document = try JSONCoding.parse(Array(output.value.utf8))
    // It is the same in every locale.
    #expect(document["message"] == "“a” → b" && document["recovery"] == "Run “chmod go-w a”.")
    let json = output.value
    #expect(SecondProgram.report(error, json: false, on: console) == .unavailable && output.value == json)
    let words = "error: “a” → b\nhelp: Run “chmod go-w a”.\n"
    let plain = "error: \"a\" > b\nhelp: Run \"chmod go-w a\".\n"
    #expect(errors.value == (showsUnicode ? words : plain))
  }
}
