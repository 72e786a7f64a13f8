import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import TestSupport
import Testing

@testable import HostCLI

/// `host points`.
@Suite(.timeLimit(.minutes(1)))
struct `The points that the tool knows` {
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func points(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await PointsCommand.run(try stage.invocation(["points"] + words, bundles: bundles))
  }

  @Test func `are listed with how many extensions each has, and where from`() async throws {
    let bundle = try stage.write()
    #expect(try await points(bundles: [bundle]) == .success)
    #expect(stage.lines.first == "NAME IDENTIFIER VERSION EXTENSIONS FROM")
    let rows = stage.lines.filter { $0.hasSuffix(" 1 built-in") }
    #expect(rows.count == 1 && rows.first?.hasPrefix("today com.apple.widget-extension ") == true)
    #expect(try await points("--json", bundles: [bundle]) == .success)
    let today = stage.document?["points"]?.arrayValue?.first { $0["name"] == "today" }
    #expect(today?["extensions"] == [.string(ToolStage.widget)] && today?["from"] == "built-in")
    #expect(stage.document?["problems"] == [])
  }

  @Test func `are none of a file that cannot be read, which is said`() async throws {
    try FileManager.default.createDirectory(atPath: "\(stage.home)/points", withIntermediateDirectories: true)
    try "nothing".write(
      toFile: "\(stage.home)/points/x.appextensionpoint", atomically: true, encoding: .utf8)
    #expect(try await points() == .dataError)
    #expect(stage.errors.contains("x.appextensionpoint") && stage.errors.contains("  help: "))
    #expect(try await points("--json") == .dataError)
    #expect(stage.document?["problems"]?.arrayValue?.first?["severity"] == "error")
  }

  @Test func `are shown with their extensions and their methods`() async throws {
    #expect(try await points("show", "today") == .success)
    #expect(stage.lines.contains("from built-in") && stage.lines.contains("extensions -"))
    let bundle = try stage.write()
    // The word may be left out.
    #expect(try await points("today", bundles: [bundle]) == .success)
    #expect(stage.lines.contains("extensions \(ToolStage.widget)"))
    let update = stage.lines.first { $0.hasPrefix("widget/performUpdate ") }?.split(separator: " ") ?? []
    #expect(update.contains("request") && update.contains { $0.hasPrefix("maxSize?") })
    #expect(update.contains { $0.hasPrefix("requestID") } && !update.contains { $0.hasPrefix("requestID?") })
  }

  @Test func `are shown as JSON with the schemas of their methods`() async throws {
    #expect(try await points("show", "photo", "--json") == .success)
    #expect(stage.document?["identifier"] == "com.apple.photo-editing" && stage.document?["memoryMiB"] == 256)
    #expect(stage.document?["extensions"] == [])
    let methods = stage.document?["methods"]?.arrayValue ?? []
    let consumed = methods.first { $0["method"] == "photo/outputConsumed" }
    #expect(consumed?["kind"] == "notification")
    #expect(methods.first { $0["method"] == "photo/finishContentEditing" }?["kind"] == "request")
  }

  @Test func `are not what has no such name`() async throws {
    let error = await #expect(throws: CommandLineError.self) { try await points("show", "todya") }
    #expect(error?.message == "“todya” is not an extension point." && error?.help == "Did you mean today?")
  }

  @Test func `are exported as a property list, which is no JSON`() async throws {
    #expect(try await points("export", "today") == .success)
    let text = stage.output
    #expect(text.contains("<plist") && text.contains("com.apple.widget-extension"))
    let error = await #expect(throws: CommandLineError.self) { try await points("export", "today", "--json") }
    #expect(error?.message == "A property list is not a JSON document.")
    let path = stage.folder.file("today.appextensionpoint")
    #expect(try await points("export", "today", "--json", "-o", path) == .success)
    #expect(stage.document == ["file": .string(path)])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `are each a document`() {
    let point = KnownPoint(
      definition: Features.points.definition(of: .today), announced: nil, extensions: ["org.example.a"])
    #expect(point.source == "built-in")
    #expect(point.document["name"] == "today" && point.document["extensions"] == ["org.example.a"])
  }
}

/// The command line of `host call`.
@Suite(.timeLimit(.minutes(1)))
struct `A call that is planned` {
  private static let id = ToolStage.widget
  private static let update = #"{"requestID":"1","reason":"visible","displayMode":"compact"}"#
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func planned(_ words: String..., at point: String = "com.apple.widget-extension") throws -> PlannedCall {
    let bundle = try stage.write { $0.point = point }
    let invocation = try stage.invocation(["call", Self.id] + words, bundles: [bundle])
    let registry = try invocation.registry()
    return try PlannedCall(invocation, of: try #require(registry.entry(Self.id)), in: registry)
  }

  @Test func `has its method by the whole name, or by what follows the prefix`() throws {
    #expect(try planned("widget/performUpdate", Self.update).method == "widget/performUpdate")
    #expect(try planned("performUpdate", Self.update).method == "widget/performUpdate")
  }

  @Test func `is of a method that the point has and the host calls`() throws {
    let near = #expect(throws: CommandLineError.self) { try planned("performUpdat") }
    #expect(near?.message == "“performUpdat” is not a method of extensions for today.")
    #expect(near?.help.hasPrefix("Did you mean ") == true && near?.help.contains("widget/performUpdate") == true)
    let far = #expect(throws: CommandLineError.self) { try planned("zzzzzzzzzzzzzzzzzzzzzzzzz/q") }
    #expect(far?.help.hasPrefix("They are: ") == true && far?.help.contains("setHasContent") == false)
    let other = #expect(throws: CommandLineError.self) { try planned("widget/setHasContent") }
    #expect(other?.message == "widget/setHasContent is a method that extensions call, not hosts.")
  }

  @Test func `has params on the command line, or in a file`() throws {
    let path = try stage.folder.write(Self.update, to: "params.json")
    #expect(try planned("performUpdate", "@\(path)").method == "widget/performUpdate")
    #expect(throws: (any Error).self) { try planned("performUpdate", "@\(path).none") }
  }

  @Test(arguments: ["{", "", "nothing", "{\"a\":1}x"]) func `has params that are JSON`(params: String) throws {
    let error = #expect(throws: ExtensionError.self) { try planned("performUpdate", params) }
    #expect(error?.code == .parseError && error?.message.hasPrefix("The params are not JSON: ") == true)
  }

  @Test(arguments: ["[]", "1", "null", "\"{}\""]) func `has params that are an object`(params: String) throws {
    let error = #expect(throws: ExtensionError.self) { try planned("performUpdate", params) }
    #expect(error?.code == .invalidParams && error?.message == "The params are not a JSON object.")
  }

  @Test func `has params that fit, before anything is started`() throws {
    // Without any they are an empty object.
    for params in [[], ["{}"], [#"{"requestID":1,"reason":"visible","displayMode":"compact"}"#]] {
      let error = #expect(throws: ExtensionError.self) {
        params.isEmpty ? try planned("performUpdate") : try planned("performUpdate", params[0])
      }
      #expect(error?.code == .invalidParams)
      #expect(error?.message.hasPrefix("The params do not fit widget/performUpdate. ") == true)
      #expect(error?.details["problems"]?.arrayValue?.isEmpty == false)
    }
  }

  @Test(arguments: ["file", "stream"]) func `takes files by a name and a path`(option: String) throws {
    for word in ["x", "=x"] {
      let error = #expect(throws: CommandLineError.self) {
        try planned("performUpdate", Self.update, "--\(option)", word)
      }
      #expect(error?.message == "--\(option) does not take “\(word)”.")
      #expect(error?.help == "Give --\(option) NAME=FILE.")
    }
    #expect(throws: (any Error).self) {
      try planned("performUpdate", Self.update, "--\(option)", "requestID=\(stage.folder.file("none"))")
    }
    // A path may begin with an accent.
    #expect(throws: InputError.self) {
      try planned("performUpdate", Self.update, "--\(option)", "requestID=\u{301}none")
    }
    // What is passed has its name when it is passed on; a path may have the sign too.
    let path = try stage.folder.write("bytes", to: "a=b")
    let rest = #"{"reason":"visible","displayMode":"compact"}"#
    #expect(
      try planned("performUpdate", rest, "--\(option)", "requestID=\(path)").method == "widget/performUpdate")
  }

  @Test(arguments: [("1", true), ("3600", true), ("0", false), ("3601", false), ("x", false)])
  func `has a deadline of at most an hour`(seconds: String, isTaken: Bool) throws {
    if isTaken {
      #expect(try planned("performUpdate", Self.update, "--deadline", seconds).method == "widget/performUpdate")
    } else {
      #expect(throws: CommandLineError.self) { try planned("performUpdate", Self.update, "--deadline", seconds) }
    }
  }

  @Test func `needs a file as JSON where a method returns data`() throws {
    let photo = "com.apple.photo-editing"
    let error = #expect(throws: CommandLineError.self) {
      try planned("photo/finishContentEditing", "{}", "--json", at: photo)
    }
    #expect(error?.message == "photo/finishContentEditing returns data beside its result.")
    // The params come next.
    let next = #expect(throws: ExtensionError.self) {
      try planned("photo/finishContentEditing", "[]", "--json", "-o", stage.folder.file("o"), at: photo)
    }
    #expect(next?.message == "The params are not a JSON object.")
    #expect(try planned("performUpdate", Self.update, "--json").method == "widget/performUpdate")
  }
}

/// Where the data of a result goes.
@Suite(.timeLimit(.minutes(1)))
struct `Data that a call returns` {
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func sink(_ more: String...) throws -> CallOutput {
    stage.clear()
    return CallOutput(try stage.invocation(["call", "org.example.a", "m"] + more))
  }

  @Test(arguments: ["", "one\n", "aé€😀z", "😀"]) func `is text on standard output, wherever it is cut`(text: String)
    throws
  {
    let bytes = Array(text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let sink = try sink()
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] { try sink.write(Array(piece)) }
        #expect(try sink.finish() == nil)
        #expect(stage.output == text, "\(first) \(second)")
      }
    }
  }

  @Test func `is shown as it comes, but for a character whose rest has not come`() throws {
    let sink = try sink()
    try sink.write([0x61, 0xE2, 0x82])
    #expect(stage.output == "a")
    try sink.write([0xAC, 0x62])
    #expect(stage.output == "a€b")
  }

  @Test(arguments: [[0xFF, 0x61, 0x61, 0x61], [0x80], [0x61, 0xC3, 0x28, 0x61, 0x61]] as [[UInt8]])
  func `needs a file where it is no text`(bytes: [UInt8]) throws {
    let sink = try sink()
    let error = #expect(throws: ExtensionError.self) {
      try sink.write(bytes)
      _ = try sink.finish()
    }
    #expect(error?.message == "What the extension returned is not text.")
    let cut = try self.sink()
    try cut.write([0x61, 0xC3])
    #expect(throws: ExtensionError.self) { try cut.finish() }
  }

  @Test func `is written whole to a file that is named`() throws {
    let path = stage.folder.file("data")
    let sink = try sink("-o", path)
    try sink.write([0xFF, 0xC3])
    #expect(!FileManager.default.fileExists(atPath: path))
    try sink.write([0x61])
    #expect(try sink.finish() == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0xFF, 0xC3, 0x61]))
    #expect(stage.output == "" && stage.errors == "Wrote 3 bytes to \(path).\n")
  }
}
