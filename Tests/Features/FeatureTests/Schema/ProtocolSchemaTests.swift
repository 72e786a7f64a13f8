import JSONRPC
import ExtensionHosting
import Foundation
import HostServices
import JSON
import JSONSchema
import TestPrograms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `The schema of the protocol` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let file = root.appending(path: "Sources/Documentation/protocol.schema.json")

  /// A value, what it should be, and whether it is.
  private struct Case {
    var schema: JSONSchema
    var value: JSONValue
    var isValid: Bool
    var line: JSONValue { ["schema": schema.json, "value": value, "valid": .bool(isValid)] }
  }

  /// Every golden line, as the frames that it stands for.
  private static func frames() throws -> [Case] {
    let schemas = try Features.protocolSchema().schemas
    return try Golden.all.flatMap { golden -> [Case] in
      let line = try golden.line()
      let method = try #require(schemas[golden.method], "\(golden.method)")
      let stem = golden.method.replacing("$/", with: "wire.").replacing("/", with: ".")
      var request: JSONObject = [
        "jsonrpc": "2.0", "id": 1, "method": .string(golden.method), "params": line["params"]!,
      ]
      if method.isNotification { request["id"] = nil }
      let kind = method.isNotification ? "notification" : "request"
      var cases = [Case(schema: .reference("\(stem).\(kind)"), value: .object(request), isValid: true)]
      guard let result = line["result"] else { return cases }
      cases.append(Case(schema: .reference("\(stem).result"), value: result, isValid: true))
      cases.append(
        Case(schema: .reference("Response"), value: ["jsonrpc": "2.0", "id": 1, "result": result], isValid: true))
      return cases
    }
  }

  private static func definitions() throws -> SchemaDefinitions {
    let document = try Features.protocolSchema().json
    return try SchemaDefinitions(#require(document["$defs"]))
  }

  /// The same value with one thing wrong, or only other, at every place of it.
  private static func mutants(of value: JSONValue) -> [JSONValue] {
    var found: [JSONValue] = [.null, "text", -1, 1.5, [], [:], true, .array([value])]
    switch value {
    case .object(let object):
      for (key, inner) in object {
        var without = object
        without[key] = nil
        found.append(.object(without))
        for mutant in mutants(of: inner) {
          var changed = object
          changed[key] = mutant
          found.append(.object(changed))
        }
      }
    case .array(let elements):
      for (index, inner) in elements.enumerated() {
        for mutant in mutants(of: inner) {
          var changed = elements
          changed[index] = mutant
          found.append(.array(changed))
        }
      }
    default: break
    }
    return found
  }

  /// What Debian's validator says otherwise.
  private static func disagreements(_ cases: [Case]) throws -> [String] {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let list = URL(filePath: folder.path).appending(path: "cases")
    try cases.map { $0.line.description + "\n" }.joined().write(to: list, atomically: true, encoding: .utf8)
    let script = root.appending(path: "Tests/Features/FeatureTests/Goldens/validate.py")
    let (text, status) = try ShellCommand.output(
      of: "/usr/bin/python3 '\(script.path)' '\(file.path)' '\(list.path)' 2>&1")
    let lines = text.split(separator: "\n").map(String.init)
    #expect(status == 0)
    #expect(lines.last == "\(cases.count) values")
    return lines.dropLast().map { line in
      let number = Int(line.prefix { $0 != ":" }) ?? -1
      return cases.indices.contains(number) ? "\(line): \(cases[number].line)" : line
    }
  }

  @Test func `is the one that is kept, which “host api --schema” prints`() throws {
    let kept = try String(contentsOf: Self.file, encoding: .utf8)
    let made = try JSONCoding.prettyText(of: Features.protocolSchema().json) + "\n"
    #expect(kept == made, "Run make regenerate.")
  }

  @Test func `lists every method in both directions with its schemas`() throws {
    let schemas = try Features.protocolSchema().schemas
    for entry in Features.methods.entries {
      let method = try #require(schemas[entry.method], "\(entry.method)")
      #expect(method.caller == (entry.isCalledByHost ? .host : .extension), "\(entry.method)")
      #expect(method.isNotification == entry.isNotification)
    }
    for method in ["initialize", "initialized", "terminate", "$/ping", "$/cancelRequest", "$/stream/data"] {
      #expect(schemas[method] != nil, "\(method)")
    }
  }

  @Test func `allows every golden frame, here and in the eyes of another validator`() throws {
    let cases = try Self.frames()
    #expect(cases.count > 150)
    let definitions = try Self.definitions()
    for item in cases {
      #expect(SchemaCheck(item.schema, definitions).problems(of: item.value) == [], "\(item.value)")
    }
    #expect(try Self.disagreements(cases) == [])
  }

  @Test func `refuses golden frames with something wrong, as another validator does`() throws {
    let definitions = try Self.definitions()
    var cases: [Case] = []
    for item in try Self.frames() {
      let check = SchemaCheck(item.schema, definitions)
      let mutants = Self.mutants(of: item.value).map { Case(schema: item.schema, value: $0, isValid: check.allows($0)) }
      #expect(mutants.contains { !$0.isValid } || item.value == [:], "\(item.value)")
      cases += mutants
    }
    // So that agreement is not that everything is allowed, or nothing.
    #expect(cases.count { !$0.isValid } > cases.count / 3)
    #expect(cases.count { $0.isValid } > 100)
    #expect(try Self.disagreements(cases) == [])
  }

  @Test(
    arguments: [
      ("widget.performUpdate.request", ["jsonrpc": "2.0", "id": 1, "method": "widget/performUpdate", "params": [:]]),
      ("widget.performUpdate.result", ["result": "old"]),
      ("widget.performUpdate.result", ["result": "newData", "view": 1]),
      ("keyboard.input.result", ["edits": [["insertText": "a", "adjust": 1]]]),
      ("defaults.compareAndSet.result", ["swapped": true, "revision": -1]),
      ("ErrorResponse", ["jsonrpc": "2.0", "id": 1, "error": ["code": -32603]]),
      ("Response", ["id": 1, "result": 1]), ("wire.stream.data.params", ["streamID": "1", "seq": 1]),
    ] as [(String, JSONValue)])
  func `refuses`(name: String, value: JSONValue) throws {
    let schema = JSONSchema.reference(name)
    #expect(!SchemaCheck(schema, try Self.definitions()).allows(value))
    #expect(try Self.disagreements([Case(schema: schema, value: value, isValid: false)]) == [])
  }

  @Test func `knows every message from its own members`() throws {
    let document = try Features.protocolSchema().json
    let messages = try #require(document["anyOf"]?.arrayValue)
    let check = SchemaCheck(try JSONSchema(["anyOf": .array(messages)]), try Self.definitions())
    let frames = try Self.frames().filter { $0.value["jsonrpc"] != nil }
    for frame in frames { #expect(check.allows(frame.value), "\(frame.value)") }
    #expect(!check.allows(["jsonrpc": "2.0", "id": 1, "method": "no/such", "params": [:]]))
    #expect(!check.allows(["jsonrpc": "1.0", "id": 1, "result": [:]]))
    let whole = Case(schema: try JSONSchema(["anyOf": .array(messages)]), value: frames[0].value, isValid: true)
    #expect(try Self.disagreements([whole]) == [])
  }
}
