import CommandLineTool
import CommandRuntime
import Conformance
import EventLoop
import ExtensionHosting
import Foundation
import JSON
import Synchronization
import TestSupport

@testable import HostCLI

/// The tool without features: a state folder and bundles of its own, and what its commands print.
final class ToolStage: Sendable {
  static let app = "org.example.tides"
  static let widget = "org.example.tides.clock"

  private static let tree = Command(
    "host", summary: "Try", example: "host list", options: CommandOption.standard + [.store, .consent],
    subcommands: [
      WhyCommand.command, LogsCommand.command, StatsCommand.command, ListCommand.command, PointsCommand.command,
      CallCommand.command, AddCommand.command, ElectCommand.command, DevCommand.command, RemoveCommand.command,
      ResetCommand.command, RestartCommand.command, ConformCommand.command, AppsCommand.command,
      NewCommand.command,
    ])

  let folder: TemporaryDirectory
  private let written = Mutex((output: "", errors: ""))

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: folder.file("shelf"), withIntermediateDirectories: true)
  }

  var home: String { folder.file("home") }
  var state: StateDirectory { StateDirectory(path: home) }
  /// What was printed to standard output, and to standard error.
  var output: String { written.withLock { $0.output } }
  var errors: String { written.withLock { $0.errors } }
  /// The lines of standard output, with single spaces between words.
  var lines: [String] {
    output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
  }
  /// What was printed, as one document.
  var document: JSONValue? { try? JSONCoding.parse(Array(output.utf8)) }

  func clear() { written.withLock { $0 = ("", "") } }

  /// - Parameter bundles: where extensions are looked for, beside an empty folder.
  func invocation(_ words: [String], bundles: [String] = [], loop: EventLoop = EventLoop()) throws -> Invocation {
    let places = [folder.file("shelf")] + bundles
    let all = words + places.flatMap { ["--manifests", $0] }
    let console = Console(
      output: { text in self.written.withLock { $0.output += text } },
      errors: { text in self.written.withLock { $0.errors += text } })
    let checks = CheckList([], hosts: HostFeatures([] as [HostFeatures]), points: [])
    let environment = ["ANNEX_HOME": home]
    return Invocation(
      HostTool(features: [], checks: checks, libraries: nil, tree: Self.tree),
      parsed: try CommandLineParser(Self.tree).parse(all, environment: environment), console: console,
      environment: environment, loop: loop)
  }

  /// What makes one bundle different from another.
  struct Differences {
    var version = "7"
    var point = "com.apple.widget-extension"
    /// What the widget's manifest has under `NSExtensionAttributes`, and at its top.
    var attributes = ""
    var keys = ""
    var hasProgram = true
  }

  /// Writes an app with a widget.
  ///
  /// - Returns: the path of the bundle.
  @discardableResult
  func write(_ name: String = "Tides.app", _ change: (inout Differences) -> Void = { _ in }) throws -> String {
    var differences = Differences()
    change(&differences)
    func manifest(_ id: String, _ type: String, _ program: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleExecutable</key><string>\(program)</string>
      <key>CFBundleVersion</key><string>\(differences.version)</string>\(rest)</dict></plist>
      """
    }
    let rest = """
      \(differences.keys)<key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>\(differences.point)</string>
      <key>NSExtensionAttributes</key><dict>\(differences.attributes)</dict></dict>
      """
    let plugIn = "\(name)/PlugIns/Clock.appex"
    try FileManager.default.createDirectory(atPath: folder.file(plugIn), withIntermediateDirectories: true)
    for place in [name, "\(name)/PlugIns", plugIn] { try setMode(place) }
    _ = try folder.write(manifest(Self.app, "APPL", "tides", ""), to: "\(name)/Info.plist")
    _ = try folder.write(manifest(Self.widget, "XPC!", "clock", rest), to: "\(plugIn)/Info.plist")
    let program = try Data(contentsOf: URL(fileURLWithPath: "/bin/true"))
    for place in ["\(name)/tides"] + (differences.hasProgram ? ["\(plugIn)/clock"] : []) {
      try program.write(to: URL(fileURLWithPath: folder.file(place)))
      try setMode(place)
    }
    return folder.file(name)
  }

  private func setMode(_ name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file(name))
  }
}
