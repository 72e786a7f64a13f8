import ExtensionProtocol
import JSON
import JSONSchema
import PropertyList

/// The methods of an announced point, with their schemas.
extension AnnouncedPointReader {
  mutating func definitions() -> SchemaDefinitions {
    let path = base.appending("Definitions")
    guard let value = reader.value(path) else { return SchemaDefinitions() }
    guard let json = JSONValue(schema: value) else {
      reader.fail(path, "The schemas have data or a date.", "Write JSON Schema in strings, numbers and dictionaries.")
      return SchemaDefinitions()
    }
    do throws(SchemaError) {
      return try SchemaDefinitions(json)
    } catch {
      fail(path, error)
      return SchemaDefinitions()
    }
  }

  private mutating func fail(_ path: PropertyListKeyPath, _ error: SchemaError) {
    reader.fail(path, "The schema cannot be used. \(error)", error.recovery)
  }

  private mutating func schema(_ path: PropertyListKeyPath, _ definitions: SchemaDefinitions) -> JSONSchema? {
    guard let value = reader.value(path) else { return nil }
    guard let json = JSONValue(schema: value) else {
      reader.fail(path, "The schema has data or a date.", "Write JSON Schema in strings, numbers and dictionaries.")
      return .anything
    }
    do throws(SchemaError) {
      let schema = try JSONSchema(json)
      try definitions.requireReferences(of: schema, at: .root)
      return schema
    } catch {
      fail(path, error)
      return .anything
    }
  }

  mutating func methods(_ definitions: SchemaDefinitions, _ version: PointVersion) -> [MethodSchema] {
    let path = base.appending("Methods")
    guard let all = reader.dictionary(path) else { return [] }
    guard all.count <= 500 else {
      reader.fail(path, "There are \(all.count) methods, more than 500.", "Divide the point into several.")
      return []
    }
    return all.keys.sorted().compactMap { name in
      let place = path.appending(name)
      guard name.hasPrefix("\(prefix)/"), name.utf8.count > prefix.utf8.count + 1, name.utf8.count <= 100,
        name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else {
        reader.fail(
          place, "“\(name.prefix(100))” is outside of the prefix \(prefix).", "Begin its name with “\(prefix)/”.")
        return nil
      }
      return method(name, place, definitions, version)
    }
  }

  private mutating func method(
    _ name: String, _ path: PropertyListKeyPath, _ definitions: SchemaDefinitions, _ version: PointVersion
  ) -> MethodSchema? {
    guard reader.dictionary(path) != nil else { return nil }
    let caller = word(path.appending("Caller"), among: MethodSchema.Caller.allCases.map { ($0.rawValue, $0) }) ?? .host
    let params = schema(path.appending("Params"), definitions) ?? .kind(.object)
    var method = MethodSchema(
      name, caller: caller, params: params, result: schema(path.appending("Result"), definitions))
    method.deadline = deadline(path)
    method.since = self.version(path.appending("Since")) ?? .first
    method.isOptional = reader.bool(path.appending("Optional")) ?? false
    if method.since != .first, method.since > version {
      reader.fail(
        path.appending("Since"), "The method is newer than the point, which is of version \(version).",
        "Raise the point's version.")
    }
    let transfers = path.appending("Transfers")
    for index in reader.indices(transfers) {
      let kind = reader.required(transfers.appending(index).appending("Kind"), "Say what changes hands: fileIn.")
      let member = reader.required(transfers.appending(index).appending("Member"), "Name the member.")
      guard let kind, let member else { continue }
      guard let transfer = HostCall.Transfer(kind: kind, member: member) else {
        reader.fail(
          transfers.appending(index).appending("Kind"), "“\(kind.prefix(100))” is nothing that changes hands.",
          "Use fileIn, folderIn, streamIn, itemsIn, fileOut, streamOut or itemsOut.")
        continue
      }
      method.transfers.append(transfer)
    }
    return method
  }

  private mutating func deadline(_ path: PropertyListKeyPath) -> RequestDeadline {
    guard let hard = milliseconds(path.appending("DeadlineMs"), atMost: .seconds(600)) else { return .standard }
    return RequestDeadline(hard: hard, limit: milliseconds(path.appending("LimitMs"), atMost: RequestDeadline.longest))
  }

  private mutating func milliseconds(_ path: PropertyListKeyPath, atMost limit: Duration) -> Duration? {
    guard let number = reader.positive(path) else { return nil }
    let duration = Duration.milliseconds(number)
    if duration <= limit { return duration }
    reader.warn(path, "\(number) ms are more than an announced point gets: \(limit).", "Write a smaller number.")
    return limit
  }

  /// One of some words.
  mutating func word<Value>(_ path: PropertyListKeyPath, among words: [(String, Value)]) -> Value? {
    guard let text = reader.string(path) else { return nil }
    if let found = words.first(where: { $0.0 == text }) { return found.1 }
    let all = words.map(\.0).joined(separator: ", ")
    reader.fail(path, "“\(text.prefix(100))” is not known here.", "Use one of \(all).")
    return nil
  }
}
