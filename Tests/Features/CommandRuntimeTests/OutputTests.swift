import CommandLineTool
import ExtensionProtocol
import Foundation
import JSON
import TestSupport
import Testing

@testable import CommandRuntime

/// Files that a user asks for, and those whose names others chose.
@Suite(.timeLimit(.minutes(1)))
struct `A file of the tool` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  @Test func `is a device too, and is not where it cannot be`() throws {
    try OutputFile.write([1], to: "/dev/null")
    let place = #expect(throws: OutputError.self) { try OutputFile.write([1], to: folder.path) }
    #expect(place?.message.hasPrefix("Cannot write \(folder.path): ") == true)
    #expect(throws: OutputError.self) { try OutputFile.write([1], to: folder.file("none/file")) }
    let full = #expect(throws: OutputError.self) { try OutputFile.write([1], to: "/dev/full") }
    #expect(full?.message.hasPrefix("Cannot write /dev/full: ") == true)
  }

  @Test func `replaces nothing when its name was not the user's to choose`() throws {
    try OutputFile.writeNew(Array("one".utf8), to: folder.file("a"))
    let taken = #expect(throws: OutputError.self) {
      try OutputFile.writeNew(Array("two".utf8), to: folder.file("a"))
    }
    #expect(
      taken?.message == "There is a file “\(folder.file("a"))” here already." && text("a") == "one")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("b"))
    #expect(throws: OutputError.self) { try OutputFile.writeNew([1], to: folder.file("link")) }
    let none = #expect(throws: OutputError.self) {
      try OutputFile.writeNew([1], to: folder.file("none/file"))
    }
    #expect(none?.message.contains("already") == false)
  }

  static let names: [(foreign: String, safe: String)] = [
    ("photo.jpg", "photo.jpg"), ("/etc/passwd", "passwd"), ("a/../b", "b"), ("..", "_."),
    (".bashrc", "_bashrc"),
    ("-rf", "_rf"), ("~root", "_root"), (" a", "_a"), ("a b", "a b"), ("größe.txt", "größe.txt"),
    ("", "document"),
    ("a\u{1B}[31mb", "a_[31mb"), ("a\u{202E}gpj", "a_gpj"), ("a\u{2028}b\u{2029}c", "a_b_c"),
    ("a\u{E000}b", "a_b"),
    ("a\u{378}b", "a_b"), ("a\nb", "a_b"),
  ]

  @Test(arguments: names) func `has a name that only names a file`(foreign: String, safe: String) {
    #expect(ForeignName.safe(foreign) == safe)
  }

  @Test func `has a name of two hundred bytes, and of no half characters`() {
    #expect(ForeignName.safe(String(repeating: "a", count: 300)).utf8.count == 200)
    #expect(ForeignName.safe(String(repeating: "a", count: 200)).utf8.count == 200)
    #expect(
      ForeignName.safe(String(repeating: "€", count: 300)) == String(repeating: "€", count: 67))
  }
}

/// What extensions print and log.
@Suite(.timeLimit(.minutes(1)))
struct `The log of an extension` {
  private let stage: CommandStage
  private var log: ExtensionLog { ExtensionLog(stage.state) }
  private static let id = "org.a-b_C.9"

  init() throws { stage = try CommandStage() }

  private static func entry(
    _ message: String, _ metadata: [String: JSONValue] = [:], id: String? = id,
    level: LogLevel = .info,
    label: LogEntry.Label = .extension
  ) -> LogEntry {
    var all = metadata
    if let id { all["extension.id"] = .string(id) }
    return LogEntry(level, message, metadata: all, label: label)
  }

  @Test func `keeps what an extension says, oldest first, and nothing of the host`() throws {
    #expect(log.lines(of: Self.id) == [])
    log.add(Self.entry("hello  there", ["b": 2, "a": "x y"], level: .warning))
    log.add(Self.entry("stderr", ["line": "Boom\u{1B}[0m é"]))
    log.add(Self.entry("stderr", ["line": 5]))
    log.add(Self.entry("of the host", label: .host))
    log.add(Self.entry("of nobody", id: nil))
    let lines = log.lines(of: Self.id)
    #expect(lines.map(\.level) == ["warning", "print", "info"])
    #expect(lines[0].text == "hello  there a=x y b=2" && lines[2].text == "stderr line=5")
    #expect(
      lines[1].text.hasPrefix("Boom") && lines[1].text.hasSuffix("é")
        && !lines[1].text.contains("\u{1B}"))
    #expect(lines.allSatisfy { $0.time > 1_700_000_000 && $0.time < 100_000_000_000 })
    #expect(log.lines(of: "org.other") == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(stage.home)/logs") == [
        "\(Self.id).log"
      ])
  }

  @Test func `keeps no secret and no more of a line than 4096 bytes`() {
    log.add(Self.entry("signed in", ["request": "password=hunter22hunter"]))
    #expect(log.lines(of: Self.id).first?.text.contains("hunter22") == false)
    log.add(
      Self.entry("stderr", ["line": .string(String(repeating: "a", count: 4095) + "é" + "b")]))
    log.add(Self.entry("stderr", ["line": .string(String(repeating: "c", count: 4097))]))
    let lines = log.lines(of: Self.id).suffix(2)
    #expect(lines.first?.text == String(repeating: "a", count: 4095))
    #expect(lines.last?.text.utf8.count == 4096)
  }

  @Test func `begins a new file where one is full, and keeps the one before`() throws {
    for number in 0..<66 { log.add(Self.entry("\(number) " + String(repeating: "x", count: 4080))) }
    let lines = log.lines(of: Self.id)
    #expect(
      lines.count == 66 && lines.map(\.text) == lines.sorted { number($0) < number($1) }.map(\.text)
    )
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(stage.home)/logs").sorted()
    #expect(names == ["\(Self.id).log", "\(Self.id).log.1"])
    // The next one takes the place of the one before.
    for number in 66..<140 {
      log.add(Self.entry("\(number) " + String(repeating: "x", count: 4080)))
    }
    let later = log.lines(of: Self.id)
    #expect(later.last.map(number) == 139 && later.first.map(number) == 64)
  }

  private func number(_ line: ExtensionLog.Line) -> Int {
    Int(line.text.prefix { $0 != " " }) ?? -1
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "a/b", "../x", "a b", "é", "a\0b", "a:b", "a@b", "a[b", "a`b", "a{b",
  ])
  func `is kept under no name that is none of a file`(id: String) {
    log.add(Self.entry("x", id: id))
    #expect(log.lines(of: id) == [])
    #expect(!FileManager.default.fileExists(atPath: "\(stage.home)/logs"))
  }

  @Test func `is kept under a name of two hundred bytes, and of no more`() {
    for (count, lines) in [(200, 1), (201, 0)] {
      let id = String(repeating: "Z", count: count)
      log.add(Self.entry("x", id: id))
      #expect(log.lines(of: id).count == lines)
    }
    log.add(Self.entry("x", id: "azAZ09"))
    #expect(log.lines(of: "azAZ09").count == 1)
  }

  static let lines: [(line: Substring, text: String?)] = [
    ("1500 info a b ", "a b "), ("1500 info ", ""), ("1500 info", nil), ("x info a", nil),
    ("1500 info \u{301}a", "\u{301}a"), ("1500 info \u{200D}", "\u{200D}"), ("", nil),
  ]

  @Test(arguments: lines) func `leaves out what is no line`(line: Substring, text: String?) {
    let read = ExtensionLog.Line(line)
    #expect(read?.text == text)
    if let read { #expect(read.time == 1.5 && read.level == "info") }
  }

  @Test func `is shown with --verbose, and warnings always`() throws {
    func shown(_ entry: LogEntry, _ verbosity: Console.Verbosity) -> String {
      stage.clear()
      ToolLog(console: ConsoleLog(stage.console(verbosity)), files: log).log(entry)
      return stage.errors
    }
    let print = Self.entry("stderr", ["line": "Boom"])
    #expect(shown(print, .verbose) == "[\(Self.id)] Boom\n" && shown(print, .normal) == "")
    #expect(log.lines(of: Self.id).map(\.text) == ["Boom", "Boom"])
    #expect(shown(Self.entry("m", level: .warning), .normal) == "warning: [\(Self.id)] m\n")
    #expect(shown(Self.entry("m", level: .info), .normal) == "")
    #expect(
      shown(Self.entry("m", ["k": "v"], level: .info), .verbose) == "info: [\(Self.id)] m k=v\n")
    #expect(shown(Self.entry("m", id: nil, level: .error, label: .host), .normal) == "warning: m\n")
    // A line of the host that looks like one of an extension is none.
    #expect(
      shown(Self.entry("stderr", ["line": "x"], label: .host), .verbose)
        == "info: [\(Self.id)] stderr line=x\n")
    stage.clear()
    ToolLog(console: ConsoleLog(stage.console()), files: log).log(.warning, "w", metadata: [:])
    #expect(stage.errors == "warning: w\n")
  }
}
