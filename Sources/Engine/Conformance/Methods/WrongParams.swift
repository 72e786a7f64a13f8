import ExtensionHosting
import JSON
import JSONSchema

/// Params that do not fit a method, each by one fault.
struct WrongParams {
  /// The fault, as a sentence begins.
  let fault: String
  let params: JSONObject

  /// So many are tried of a method, and no more.
  private static let most = 30

  /// Values, one of each kind, the first of which that is none of a member's kinds is wrong there.
  private static let values: [(kind: JSONSchema.Kind, value: JSONValue)] = [
    (.object, ["conformance": true]), (.integer, 7), (.string, "conformance"), (.boolean, true), (.array, [true]),
  ]

  /// - Returns: one without each required member, and one with another kind of value for each member; empty when nothing can
  ///   be wrong. `nil` when there is no example of what is right.
  static func all(of method: PointMethods.Method) -> [WrongParams]? {
    let schema = method.schemas.resolved(method.schema.params)
    guard let right = method.example.value(of: method.schema.params)?.objectValue else { return nil }
    var found: [WrongParams] = []
    for name in schema.required {
      var params = right
      params[name] = nil
      found.append(WrongParams(fault: "Without “\(name)”", params: params))
    }
    for member in schema.members {
      guard let kinds = method.example.kinds(of: member.schema) else { continue }
      let isNumber = kinds.contains(.number)
      let wrong = values.first { !kinds.contains($0.kind) && !(isNumber && $0.kind == .integer) }
      guard let wrong else { continue }
      var params = right
      params[member.name] = wrong.value
      found.append(
        WrongParams(fault: "With \(JSONCoding.text(of: wrong.value)) as “\(member.name)”", params: params))
    }
    // What the schema allows after all is not wrong.
    let wrong = found.filter { !method.schemas.problems(ofParams: .object($0.params), of: method.name).isEmpty }
    return Array(wrong.prefix(most))
  }
}
