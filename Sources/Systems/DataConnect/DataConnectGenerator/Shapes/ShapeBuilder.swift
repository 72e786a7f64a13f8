import DataConnectCompiler
import GraphQL

/// Finds out which structs a result needs.
struct ShapeBuilder {
  let schema: CompiledSchema
  let types: TypeNames

  /// - Parameter fields: what is selected; what is redacted is no part of the result.
  func shape(of fields: [CompiledField]) -> ResultShape {
    let visible = fields.filter { !$0.isRedacted }
    var shape = ResultShape()
    var scope = NameScope(types.reserved.union(visible.map(\.responseName)))
    var shared: [String: [ResultShape.Nested]] = [:]
    for field in visible {
      var base = types.base(field.type.name.text)
      if !field.fields.isEmpty { base = nested(field, in: &shape, &scope, &shared) }
      let (text, isOptional) = types.type(field.type, of: base)
      let type = isOptional || field.isConditional ? "\(text)?" : text
      shape.properties.append(ResultShape.Property(name: field.responseName, type: type))
    }
    return shape
  }

  /// The struct of a field: one that is there already, when it has the same name and shape.
  private func nested(
    _ field: CompiledField, in shape: inout ResultShape, _ scope: inout NameScope,
    _ shared: inout [String: [ResultShape.Nested]]
  ) -> String {
    let type = SwiftName.upperFirst(field.type.name.text)
    let alias = SwiftName.upperFirst(field.responseName)
    let wanted = field.responseName == field.name ? type : type + alias
    var inside = self.shape(of: field.fields)
    let known = shared[wanted, default: []]
    for other in known {
      var same = inside
      same.key = key(of: field, inside, as: other.name)
      if same.sorted == other.shape.sorted { return other.name }
    }
    let isUsable = !SwiftName.isKeyword(wanted)
    let name =
      isUsable && known.isEmpty && !scope.has(wanted)
      ? scope.take(wanted) : scope.take(field.responseName == field.name ? type + alias : wanted)
    inside.key = key(of: field, inside, as: name)
    let nested = ResultShape.Nested(name: name, shape: inside)
    shared[wanted, default: []].append(nested)
    shape.nested.append(nested)
    return name
  }

  /// Returns the key of a row, if all of it is selected unconditionally.
  private func key(of field: CompiledField, _ shape: ResultShape, as name: String) -> ResultShape.Key? {
    guard let table = schema.table(field.type.name.text), let type = types.keys[table.name] else { return nil }
    var columns: [ResultShape.Key.Pair] = []
    for column in table.key {
      let found = field.fields.first { $0.name == column && $0.fields.isEmpty && !$0.isRedacted && !$0.isConditional }
      guard let found else { return nil }
      columns.append(ResultShape.Key.Pair(column: column, property: found.responseName))
    }
    let id = field.fields.first { $0.responseName == "id" && !$0.isRedacted }
    var scope = NameScope(Set(shape.properties.map(\.name)))
    if let id, !id.fields.isEmpty { return nil }
    return ResultShape.Key(
      type: type, name: scope.take("\(SwiftName.lowerFirst(name))Key"), columns: columns, hasID: id != nil)
  }
}
