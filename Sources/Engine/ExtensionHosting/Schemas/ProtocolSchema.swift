import EventLoop
public import ExtensionProtocol
public import JSON
import JSONSchema

/// The whole wire as one JSON Schema document (2020-12): every message that one side may send to the other.
///
/// The schema itself defines what a message is. Each method has the definitions `<stem>.params`, `<stem>.result` and
/// `<stem>.request` or `<stem>.notification`, where the stem is its name with dots. `x-methods` lists the methods with
/// their callers and points, and `x-errors` the codes of errors.
public struct ProtocolSchema: Sendable {
  /// The schemas of the methods, those of the wire itself included.
  public let schemas: MethodSchemas
  private let points: [String: [String]]

  /// Creates the schema of some contracts and points.
  ///
  /// - Throws: `internalError` when the schema of a type cannot be derived from its decoding.
  public init(contracts: [any ServiceContract.Type], points: ExtensionPointTable) throws(ExtensionError) {
    let own: [HostCall] = [.notification(Log.self)]
    let calls = contracts.flatMap { $0.calls } + points.all.flatMap { $0.calls }
    let traced = try MethodSchemas(
      calls: MethodCatalogue.wire + own + calls, methods: contracts.flatMap { $0.methods })
    var methods = traced.methods
    for index in methods.indices {
      switch methods[index].method {
      case Log.method: methods[index].caller = .extension
      case Ping.method, Progress.method: methods[index].caller = .either
      default: break
      }
    }
    var definitions = traced.definitions
    for (name, schema) in WireSchemas.definitions { definitions[name] = schema }
    schemas = MethodSchemas(methods + WireSchemas.methods, definitions)
    self.points = Dictionary(
      points.all.flatMap { definition in definition.allCalls.map { ($0.method, [definition.point.rawValue]) } },
      uniquingKeysWith: +)
  }

  /// The schema as a JSON document.
  public var json: JSONValue {
    var definitions = schemas.definitions
    var messages: [JSONSchema] = []
    for method in schemas.methods {
      let name = "\(MethodSchema.stem(of: method.method)).\(method.isNotification ? "notification" : "request")"
      definitions[name] = WireSchemas.message(of: method, definitions)
      messages.append(.reference(name))
    }
    messages += [.reference("Response"), .reference("ErrorResponse")]
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The messages between a host and its extensions",
      "description":
        "Generated from the contracts by “host api --schema”. A member that may be missing may be null, too; members that are not named here are ignored.",
      "x-protocolVersion": .string(ProtocolVersion.supported.first ?? ""),
      "anyOf": .array(messages.map(\.json)),
      "x-methods": .array(schemas.methods.map { .object(entry($0)) }),
      "x-errors": .array(
        ExtensionError.Code.table.map { code, recovery in
          ["code": .integer(Int64(code.number)), "name": .string(code.name), "recovery": .string(recovery)]
        }),
      "$defs": definitions.json,
    ]
  }

  private func entry(_ method: MethodSchema) -> JSONObject {
    var entry = JSONObject()
    entry["method"] = .string(method.method)
    entry["caller"] = .string(method.caller.rawValue)
    entry["kind"] = method.isNotification ? "notification" : "request"
    entry["params"] = method.params.json
    entry["result"] = method.result?.json
    if method.caller == .host {
      if let points = points[method.method] { entry["points"] = .array(points.map { .string($0) }) }
      if !method.isNotification { entry["deadlineMs"] = .integer(method.deadline.hard.wholeMilliseconds) }
    }
    if !method.transfers.isEmpty { entry["transfers"] = .array(method.transfers.map { .object($0.json) }) }
    return entry
  }
}

extension HostCall.Transfer {
  /// The word for the kind, and the member of params or result.
  var words: (kind: String, member: String) {
    switch self {
    case .fileIn(let member): ("fileIn", member)
    case .folderIn(let member): ("folderIn", member)
    case .streamIn(let member): ("streamIn", member)
    case .itemsIn(let member): ("itemsIn", member)
    case .fileOut(let member): ("fileOut", member)
    case .streamOut(let member): ("streamOut", member)
    case .itemsOut(let member): ("itemsOut", member)
    }
  }

  /// The transfer that the word stands for.
  init?(kind: String, member: String) {
    switch kind {
    case "fileIn": self = .fileIn(member)
    case "folderIn": self = .folderIn(member)
    case "streamIn": self = .streamIn(member)
    case "itemsIn": self = .itemsIn(member)
    case "fileOut": self = .fileOut(member)
    case "streamOut": self = .streamOut(member)
    case "itemsOut": self = .itemsOut(member)
    default: return nil
    }
  }

  var json: JSONObject { ["kind": .string(words.kind), "member": .string(words.member)] }
}
