import ExtensionHosting
import ExtensionProtocol

/// A rule that holds for every method of a point: `host conform` has one check of it for each method.
package struct MethodRule: Sendable {
  /// The prefix of the names of its checks; `--check` accepts it for all of them.
  package let name: String
  /// The rule in one sentence.
  package let rule: String
  /// What an author should do when a check fails.
  package let advice: String

  /// Params that do not fit.
  static let params = MethodRule(
    name: "params",
    rule: "Params that lack a member, or have one of another type, are answered with -32602, and nothing else happens.",
    advice:
      "Compare the params with the schema that \"host points show POINT --json\" prints before you use them, and answer "
      + "-32602 when they do not fit it.")
  /// Results that do not fit.
  static let result = MethodRule(
    name: "result", rule: "The result of a method fits its schema, and what it names is there.",
    advice: "Answer with what \"host points show POINT --json\" prints as the schema of the result.")

  /// All of them.
  package static let all = [params, result]

  /// The name of the check for one method, or for any where it is a word for one.
  package func check(of method: String) -> String { "\(name):\(method)" }
}

extension CheckList {
  /// The same list with the checks of one point's methods.
  package func adding(_ methods: PointMethods) -> CheckList {
    var list = self
    list.wire += methods.methods.map { $0.paramsCheck }
    list.conversation += methods.methods.filter { !$0.schema.isNotification }.map { $0.resultCheck }
    return list
  }
}

extension PointMethods.Method {
  /// Whether the extension is too old for the method.
  ///
  /// - Parameter version: what it says that it speaks of its point.
  func requireVersion(_ version: PointVersion) throws {
    guard version < since else { return }
    throw CheckSkipped("It came with \(since) of the point, and the extension speaks \(version).")
  }
}
