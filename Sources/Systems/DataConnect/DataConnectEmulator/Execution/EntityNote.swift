import DataConnectCompiler
import GraphQL
import JSON

/// The identifiers of the rows behind the objects at one path of a response.
struct EntityNote: Sendable, Hashable {
  let path: [GraphQLError.PathElement]
  /// One identifier for an object; one for each element of a list, empty where it is unknown.
  let ids: [String]
  let isList: Bool

  var json: JSONValue {
    let path = JSONValue.array(path.map(\.json))
    return isList
      ? ["path": path, "entityIds": .array(ids.map { .string($0) })]
      : ["path": path, "entityId": .string(ids.first ?? "")]
  }

  /// The notes of a value that a field came to.
  ///
  /// - Parameter limit: how many there are at most; what is beyond has none.
  static func of(_ value: JSONValue, _ plan: FieldPlan, limit: Int = 10_000) -> [EntityNote] {
    var notes: [EntityNote] = []
    collect(value, plan, [.name(plan.name)], limit, &notes)
    return notes
  }

  private static func collect(
    _ value: JSONValue, _ plan: FieldPlan, _ path: [GraphQLError.PathElement], _ limit: Int,
    _ notes: inout [EntityNote]
  ) {
    guard plan.hasEntities, notes.count < limit else { return }
    switch value {
    case .object(let object):
      if let id = id(of: object, plan) { notes.append(EntityNote(path: path, ids: [id], isList: false)) }
      members(object, plan, path, limit, &notes)
    case .array(let values):
      if plan.entity != nil || plan.keyTable != nil {
        let ids = values.map { value in value.objectValue.flatMap { id(of: $0, plan) } ?? "" }
        notes.append(EntityNote(path: path, ids: ids, isList: true))
      }
      for (index, value) in values.enumerated() {
        guard case .object(let object) = value else { continue }
        members(object, plan, path + [.index(index)], limit, &notes)
      }
    default: break
    }
  }

  private static func members(
    _ object: JSONObject, _ plan: FieldPlan, _ path: [GraphQLError.PathElement], _ limit: Int,
    _ notes: inout [EntityNote]
  ) {
    for field in plan.fields where field.hasEntities && !field.field.isRedacted {
      if let value = object[field.name] { collect(value, field, path + [.name(field.name)], limit, &notes) }
    }
  }

  private static func id(of object: JSONObject, _ plan: FieldPlan) -> String? {
    if let table = plan.keyTable { return EntityID.text(table, object) }
    return plan.entity.flatMap { EntityID.text($0, object) }
  }
}
