import ImageFile
import Activation
import Text
import CommandLineTool
import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import HTTP
import HTTPServer
import HostServices
import Fetching
import JSON
import JSONRPC
import JSONSchema
import PropertyList
import Sandbox
import YAML

/// The parsers of foreign bytes, as functions of some bytes. None may crash, hang, or contradict itself.
///
/// `make fuzz` gives them to libFuzzer, and the tests what is kept in `Tests/Fuzz/Corpus` and what comes of it.
package enum FuzzTargets {
  /// By the names of their folders in the corpus.
  package static let all: [String: @Sendable ([UInt8]) -> Void] = [
    "cel": cel, "content": content, "content-folder": contentFolder, "content-request": contentRequest,
    "contracts": contracts,
    "data-connect": dataConnect,
    "elf": { _ = ProgramSymbols($0) }, "graphql": graphQL, "graphql-schema": graphQLSystem,
    "headers": { frames($0, .contentLength) }, "http": http, "http2": http2,
    "image": image, "json": json, "lines": { frames($0, .lines) }, "matches": matches, "pictures": pictures,
    "plist": plist, "points": points, "predicate": predicate, "remote-messages": remoteMessages, "schema": schema,
    "seals": seals,
    "secrets": secrets,
    "text-html": textHTML, "text-json": textJSON, "text-markdown": textMarkdown, "token-cache": tokenCache,
    "tokens": tokens, "websocket": webSocket, "xcconfig": settings, "yaml": yaml,
  ]

  /// What is read is written, read again, and the same.
  private static func json(_ bytes: [UInt8]) {
    guard let value = try? JSONCoding.parse(bytes) else { return }
    let text = JSONCoding.text(of: value)
    precondition((try? JSONCoding.parse(text)) == value, "\(text) does not read back")
    _ = try? JSONCoding.decode(ErrorObject.self, from: bytes)
    _ = try? JSONCoding.decode([String: [Double]].self, from: bytes)
  }

  /// What is read keeps to the limits, and every error has a place in the file.
  private static func yaml(_ bytes: [UInt8]) {
    let result = YAMLReader.read(bytes, limits: YAMLLimits(depth: 16, values: 500, errors: 10))
    precondition(result.errors.count <= 10)
    precondition(result.errors.allSatisfy { $0.place.line > 0 && $0.place.column > 0 && !$0.message.isEmpty })
    var (waiting, count) = (result.node.map { [($0, 1)] } ?? [], 0)
    while let (node, depth) = waiting.popLast() {
      count += 1
      precondition(depth <= 17 && node.place.line > 0)
      waiting += (node.elements ?? node.entries?.map(\.value) ?? []).map { ($0, depth + 1) }
      if let entries = node.entries { precondition(Set(entries.map(\.key)).count == entries.count) }
    }
    precondition(count <= 500)
  }

  /// Every method that a feature has, with these params and with this result.
  private static func contracts(_ bytes: [UInt8]) {
    for contract in Features.contracts { for method in contract.methods { decode(method, bytes) } }
    _ = try? JSONCoding.decode(Initialize.Result.self, from: bytes)
    _ = try? JSONCoding.decode(Log.self, from: bytes)
    _ = try? JSONCoding.decode(ErrorObject.self, from: bytes)
  }

  private static func decode<Method: RemoteMethod>(_ method: Method.Type, _ bytes: [UInt8]) {
    if let params = try? JSONCoding.decode(method, from: bytes) { _ = try? JSONCoding.value(of: params) }
    if let result = try? JSONCoding.decode(Method.Result.self, from: bytes) { _ = try? JSONCoding.value(of: result) }
  }

  /// A list that is read is written in the XML form, and read again.
  private static func plist(_ bytes: [UInt8]) {
    guard case .value(let node) = PropertyListReader.parse(bytes, file: nil) else { return }
    _ = ManifestValidation(node.value)
  }

  /// A point that is announced claims nothing that this package has, and gets no more than its points.
  private static func points(_ bytes: [UInt8]) {
    guard case .value(let node) = PropertyListReader.parse(bytes, file: nil) else { return }
    let found = AnnouncedPoints(node, file: "fuzz", beside: Features.known)
    for point in found.points {
      precondition(point.definition.limits.memory <= 256 << 20 && !Features.points.contains(point.definition.point))
      precondition(!point.definition.point.rawValue.hasPrefix("com.apple."))
      precondition((try? point.propertyListText()) == nil || point.schemas.methods.count <= 500)
    }
  }

  /// The first line is a document with `$defs` and a schema, the second a value.
  private static func schema(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let document = try? JSONCoding.parse(Array(first)) else { return }
    let value = parts.count > 1 ? (try? JSONCoding.parse(Array(parts[1]))) ?? .null : .null
    let definitions = (try? SchemaDefinitions(document["$defs"] ?? [:])) ?? SchemaDefinitions()
    guard let schema = try? JSONSchema(document) else { return }
    let again = try? JSONSchema(schema.json)
    precondition(again == schema, "\(schema.json) does not read back")
    precondition(SchemaCheck(schema, definitions).problems(of: value).count <= 20)
  }

  /// The first line is a URL, the rest are fields of a message.
  private static func http(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.first.map { String($0) } ?? ""
    if let origin = HTTPOrigin(url: first) {
      precondition(HTTPOrigin(url: origin.description) == origin, "\(origin) does not read back")
      precondition(!FetchRules.reaches(of: origin).contains(.unusable))
    }
    _ = NetworkServer(first)
    _ = PercentEncoding.decoded(text)
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return ServerField(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    _ = MessageRules.fault(of: fields)
    if let bytes = Base64.decode(text) { precondition(Base64.decode(Base64.encode(bytes)) == bytes) }
    if bytes.count >= 16 { _ = AddressReach(version6: Array(bytes.prefix(16))) }
    _ = AddressReach(socketAddress: bytes)
  }

  private static func image(_ bytes: [UInt8]) {
    let orientation = ImageOrientation.of(bytes)
    precondition((1...8).contains(orientation))
    _ = MediaFormat(bytes)?.mediaType
  }

  /// What has been cleared of secrets has none that is known by its form, and no byte that a terminal would obey.
  private static func secrets(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let redacted = Secrets.redacted(text)
    precondition(Secrets.redacted(redacted).utf8.count <= redacted.utf8.count + 64 * Secrets.mark.utf8.count)
    _ = Secrets.isName(text)
    _ = Secrets.isCredential(text)
    let shown = redacted.escapedForTerminal
    precondition(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
  }

  /// A file, and another one that it may include.
  private static func settings(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let config = try? XCConfig(path: "a", reading: { ["a", "b"].contains($0) ? text : nil }) else { return }
    precondition(config.settings.allSatisfy { $0.value.utf8.count <= 1 << 20 })
  }

  /// The first line is a pattern, the rest a text.
  private static func matches(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    func quoted(_ bytes: ArraySlice<UInt8>?) -> String {
      let text = String(decoding: bytes ?? [], as: UTF8.self)
      return "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    predicate(Array("\(quoted(parts.count > 1 ? parts[1] : nil)) MATCHES[cd] \(quoted(parts.first))".utf8))
  }

  private static func predicate(_ bytes: [UInt8]) {
    let rule = ActivationRule(.string(String(decoding: bytes, as: UTF8.self)))
    _ = rule.match([
      ActivationItem(title: "t", contentText: "text", attachments: [ActivationAttachment(["public.png"])])
    ])
  }
}
