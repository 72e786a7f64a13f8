import EventLoop
public import ExtensionProtocol
import JSON
import JSONRPC
import JSONSchema
public import PropertyList

/// The form that files have.
extension AnnouncedPoint {
  /// The property list: a dictionary with the identifier as its only key.
  public var propertyList: PropertyListValue {
    [
      definition.point.rawValue: [
        "EXPresentsUserInterface": false,
        "Annex": .dictionary(annex),
      ]
    ]
  }

  /// The property list in the XML form.
  ///
  /// - Throws: `internalError` when it has what that form cannot hold, such as a control character in a text.
  public func propertyListText() throws(ExtensionError) -> String {
    if let text = XMLPropertyListWriter.document(propertyList) { return text }
    throw ExtensionError(.internalError, "The definition of \(definition.point.rawValue) has no XML form.")
  }

  private var annex: [String: PropertyListValue] {
    var annex: [String: PropertyListValue] = [
      "Name": .string(definition.shortName), "Role": .string(definition.role), "Plural": .string(definition.plural),
      "Version": .string(definition.version.description), "Profile": .dictionary(profile),
      "Methods": .dictionary(
        Dictionary(schemas.methods.map { ($0.method, entry($0)) }, uniquingKeysWith: { first, _ in first })),
    ]
    if definition.prefix != definition.shortName { annex["Prefix"] = .string(definition.prefix) }
    if !definition.commonCalls.isEmpty { annex["Common"] = .array(definition.commonCalls.map { .string($0.name) }) }
    if !schemas.definitions.named.isEmpty { annex["Definitions"] = PropertyListValue(schema: schemas.definitions.json) }
    if let services = definition.services { annex["Services"] = .array(services.map { .string($0.name) }) }
    if let permissions = definition.permissions { annex["Permissions"] = .array(permissions.map { .string($0) }) }
    if !definition.access.isEmpty { annex["Access"] = .array(definition.access.map(entry)) }
    if !definition.manifest.keys.isEmpty { annex["Manifest"] = .array(definition.manifest.keys.map(entry)) }
    return annex
  }

  private var profile: [String: PropertyListValue] {
    let limits = definition.limits
    func count(_ number: UInt64, _ unit: UInt64 = 1) -> PropertyListValue { .integer(Int64(clamping: number / unit)) }
    return [
      "MemoryMiB": count(limits.memory, 1 << 20), "Threads": count(limits.threads),
      "Descriptors": count(limits.descriptors), "FileMiB": count(limits.fileSize, 1 << 20),
      "ContainerMiB": count(limits.containerSize, 1 << 20), "ContainerFiles": count(limits.containerFiles),
      "CPUSeconds": .integer(limits.requestCPU.components.seconds), "Reuse": .string(definition.reuse.word),
      "TakesItems": .bool(definition.takesItems),
      "Groups": definition.groups == .readWrite ? "readWrite" : "readOnlyWithoutOpenAccess",
    ]
  }

  private func entry(_ method: MethodSchema) -> PropertyListValue {
    var entry: [String: PropertyListValue] = [
      "Caller": .string(method.caller.rawValue), "Params": PropertyListValue(schema: method.params.json) ?? [:],
    ]
    if let result = method.result {
      entry["Result"] = PropertyListValue(schema: result.json)
      if method.caller == .host {
        entry["DeadlineMs"] = .integer(method.deadline.hard.wholeMilliseconds)
        if let limit = method.deadline.limit { entry["LimitMs"] = .integer(limit.wholeMilliseconds) }
      }
    }
    if method.since != .first { entry["Since"] = .string(method.since.description) }
    if method.isOptional, !method.isNotification { entry["Optional"] = true }
    if !method.transfers.isEmpty {
      entry["Transfers"] = .array(
        method.transfers.map { transfer in
          let (kind, member) = transfer.words
          return ["Kind": .string(kind), "Member": .string(member)]
        })
    }
    return .dictionary(entry)
  }

  private func entry(_ row: Allowlist.Row) -> PropertyListValue {
    var entry: [String: PropertyListValue] = ["Method": .string(row.method), "Rule": .string(row.rule)]
    if let entitlement = row.entitlement { entry["Entitlement"] = .string(entitlement) }
    if !row.permissions.isEmpty { entry["Permissions"] = .array(row.permissions.map { .string($0) }) }
    return .dictionary(entry)
  }

  private func entry(_ key: ManifestKey) -> PropertyListValue {
    var entry: [String: PropertyListValue] = [
      "Key": .string(key.name), "Type": .string(key.type.word),
      "Places": .array(ManifestKey.Places.words.filter { key.places.contains($0.place) }.map { .string($0.word) }),
    ]
    if key.isRequired { entry["Required"] = true }
    return .dictionary(entry)
  }
}

extension ExtensionPointDefinition.Reuse {
  /// The words for the ways, in a file.
  static let words: [(word: String, reuse: Self)] = [("reuse", .reuse), ("once", .once), ("never", .never)]
  fileprivate var word: String { Self.words.first { $0.reuse == self }?.word ?? "never" }
}

extension ManifestKey.ValueType {
  /// The words for the types, in a file.
  static let words: [(word: String, type: Self)] = [
    ("string", .string), ("bool", .bool), ("strings", .strings), ("dictionary", .dictionary), ("any", .any),
  ]
  fileprivate var word: String { Self.words.first { $0.type == self }?.word ?? "any" }
}

extension ManifestKey.Places {
  /// The words for the places, in a file.
  static let words: [(word: String, place: Self)] = [("attributes", .attributes), ("section", .section)]
}

extension PropertyListValue {
  /// Converts a schema to a property list.
  ///
  /// - Returns: `nil` when the schema contains null, which property lists lack.
  init?(schema json: JSONValue) {
    switch json {
    case .null: return nil
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .real(Double(value))
    case .double(let value): self = .real(value)
    case .string(let value): self = .string(value)
    case .array(let values):
      let elements = values.compactMap { PropertyListValue(schema: $0) }
      guard elements.count == values.count else { return nil }
      self = .array(elements)
    case .object(let object):
      var entries: [String: PropertyListValue] = [:]
      for (key, value) in object {
        guard let value = PropertyListValue(schema: value) else { return nil }
        entries[key] = value
      }
      self = .dictionary(entries)
    }
  }
}

extension JSONValue {
  /// A schema that a property list has; `nil` where it has a date or data.
  init?(schema value: PropertyListValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .real(let number):
      guard number.isFinite else { return nil }
      self = .double(number)
    case .bool(let value): self = .bool(value)
    case .date, .data: return nil
    case .array(let elements):
      let values = elements.compactMap { JSONValue(schema: $0) }
      guard values.count == elements.count else { return nil }
      self = .array(values)
    case .dictionary(let entries):
      var object = JSONObject()
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        guard let value = JSONValue(schema: value) else { return nil }
        object[key] = value
      }
      self = .object(object)
    }
  }
}
