import ExtensionProtocol
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A handshake` {
  private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONCoding.decode(type, from: Array(text.utf8))
  }

  private func members(_ value: some Encodable) throws -> JSONValue {
    try JSONCoding.value(of: value)
  }

  private static let full: JSONValue = [
    "protocolVersions": ["1.0", "0.9"], "host": ["name": "annex", "version": "2"],
    "extension": [
      "id": "com.example.one", "version": "7", "point": "com.example.point", "pointVersion": "1.2",
      "containingApp": "com.example",
    ],
    "capabilities": ["a": [1, .null], "b": .null], "permissions": ["content": "granted", "data": "undecided"],
    "limits": ["memoryMiB": 64, "most": 9_223_372_036_854_775_807], "locale": "de-DE",
    "directories": [
      "scratch": "/s", "container": "/c", "groups": ["g": ["path": "/g", "mode": "rw"]],
    ],
  ]

  @Test func `reads every member that the host writes`() throws {
    let read = try read(Initialize.self, JSONCoding.text(of: Self.full))
    #expect(read.protocolVersions == ["1.0", "0.9"] && read.host == Peer(name: "annex", version: "2"))
    #expect(read.extension.id == "com.example.one" && read.extension.version == "7")
    #expect(read.extension.point.rawValue == "com.example.point" && read.extension.pointVersion == PointVersion(1, 2))
    #expect(read.extension.containingApp == "com.example")
    #expect(read.capabilities == ["a": [1, .null], "b": .null])
    #expect(read.permissions == ["content": "granted", "data": "undecided"])
    #expect(read.limits == ["memoryMiB": 64, "most": .max] && read.locale == "de-DE")
    #expect(read.directories == .init(scratch: "/s", container: "/c", groups: ["g": .init(path: "/g", mode: "rw")]))
    #expect(try members(read) == Self.full)
  }

  @Test(arguments: [
    #"{"protocolVersions": []}"#,
    #"{"protocolVersions": [], "host": null, "extension": null, "capabilities": null, "permissions": null, "limits": null, "locale": null, "directories": null, "more": {}}"#,
  ])
  func `asks for the versions alone`(text: String) throws {
    let read = try read(Initialize.self, text)
    #expect(read.host == Peer(name: "host") && read.extension.id == "" && read.extension.pointVersion == nil)
    #expect(read.capabilities.isEmpty && read.permissions.isEmpty && read.limits.isEmpty && read.locale == "en-US")
    #expect(read.directories == .init(scratch: "", container: "", groups: [:]))
  }

  @Test(arguments: [
    (#"{}"#, "protocolVersions"), (#"{"protocolVersions": [1]}"#, "protocolVersions[0]"),
    (#"{"protocolVersions": [], "host": {}}"#, "host.name"),
    (#"{"protocolVersions": [], "host": {"name": "h", "version": 1}}"#, "host.version"),
    (#"{"protocolVersions": [], "extension": {"id": "x"}}"#, "extension.point"),
    (
      #"{"protocolVersions": [], "extension": {"id": "x", "point": "p", "pointVersion": "1"}}"#,
      "extension.pointVersion"
    ),
    (#"{"protocolVersions": [], "permissions": {"data": 1}}"#, "permissions.data"),
    (#"{"protocolVersions": [], "permissions": {"data": null}}"#, "permissions.data"),
    (#"{"protocolVersions": [], "permissions": []}"#, "permissions"),
    (#"{"protocolVersions": [], "limits": {"threads": 1.5}}"#, "limits.threads"),
    (#"{"protocolVersions": [], "limits": {"threads": 9223372036854775808}}"#, "limits.threads"),
    (#"{"protocolVersions": [], "directories": {"scratch": "/s", "container": "/c"}}"#, "directories.groups"),
    (
      #"{"protocolVersions": [], "directories": {"scratch": "/s", "container": "/c", "groups": {"g": {}}}}"#,
      "directories.groups.g.path"
    ),
  ])
  func `says which member is not what it has to be`(text: String, place: String) throws {
    let error = #expect(throws: DecodingError.self) { try read(Initialize.self, text) }
    #expect(error?.pathAndDescription.path == place)
  }

  @Test func `is answered with what is known, and nothing else`() throws {
    let least = Initialize.Result(protocolVersion: "1.0")
    #expect(try members(least) == ["protocolVersion": "1.0"])
    #expect(try read(Initialize.Result.self, #"{"protocolVersion": "1.0"}"#) == least)
    let most = Initialize.Result(
      protocolVersion: "1.0", sdk: Peer(name: "n", version: "v", language: "l"), capabilities: ["c": true],
      principalClass: "P", pointVersion: PointVersion(2, 3))
    let text: JSONValue = [
      "protocolVersion": "1.0", "sdk": ["name": "n", "version": "v", "language": "l"], "capabilities": ["c": true],
      "principalClass": "P", "pointVersion": "2.3",
    ]
    #expect(try members(most) == text)
    #expect(try read(Initialize.Result.self, JSONCoding.text(of: text)) == most)
    #expect(throws: DecodingError.self) { try read(Initialize.Result.self, #"{"sdk": {"name": "n"}}"#) }
  }
}
