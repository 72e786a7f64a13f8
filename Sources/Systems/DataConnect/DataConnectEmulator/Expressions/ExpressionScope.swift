import CEL
import JSON
import Text
import Synchronization
import Time

/// The values of the names in an operation's expressions.
final class ExpressionScope: Sendable {
  private let caller: OperationCaller
  private let variables: JSONObject
  private let operation: String
  /// When the operation began: one time for all of it.
  private let time: UnixTime
  private let table: ExpressionTable
  private let cost: Int
  /// Bindings that were made; most operations need none.
  private let made = Mutex<[String: CELValue]?>(nil)
  private let response = Mutex<JSONObject>([:])

  init(
    _ caller: OperationCaller, variables: JSONObject, operation: String, time: UnixTime, _ table: ExpressionTable,
    cost: Int
  ) {
    self.caller = caller
    self.variables = variables
    self.operation = operation
    self.time = time
    self.table = table
    self.cost = cost
  }

  /// Says what a field came to, for the expressions of later ones.
  func keep(_ value: JSONValue, as name: String) { response.withLock { $0[name] = value } }

  /// Returns the value of an expression.
  ///
  /// - Parameters:
  ///   - value: the value of `this`; `nil` where the expression has none.
  ///   - others: the values of further names.
  func evaluate(
    _ text: String, this value: JSONValue? = nil, others: [String: CELValue] = [:]
  ) throws(CELError) -> CELValue {
    let expression: Expression
    if let known = table[text] { expression = known } else { expression = try Expression(text) }
    var bindings = bindings()
    if expression.comparesAuth, caller.claims == nil {
      bindings["auth"] = .null
      bindings["request"] = request(auth: .null)
    }
    if expression.usesResponse { bindings["response"] = CELValue(.object(response.withLock { $0 })) }
    if let value { bindings["this"] = CELValue(value) }
    bindings.merge(others) { _, new in new }
    return try expression.program.evaluate(bindings, cost: cost)
  }

  /// Whether the value of an expression would be a signed-in user's, and nobody is there: `auth.uid`.
  func isMissingUser(for text: String) -> Bool {
    guard caller == .nobody, let expression = table[text] ?? (try? Expression(text)) else { return false }
    return expression.usesAuth && !expression.comparesAuth
  }

  /// Returns whether an expression is true; an expression that fails counts as false.
  func holds(_ text: String, this value: JSONValue? = nil, others: [String: CELValue] = [:]) -> Bool {
    (try? evaluate(text, this: value, others: others)) == .bool(true)
  }

  private func bindings() -> [String: CELValue] {
    made.withLock { made in
      if let made { return made }
      let auth = Self.auth(caller)
      let bindings = ["auth": auth, "vars": CELValue(.object(variables)), "request": request(auth: auth)]
      made = bindings
      return bindings
    }
  }

  static func auth(_ caller: OperationCaller) -> CELValue {
    guard let claims = caller.claims else { return .map([.string("uid"): .null, .string("token"): .null]) }
    return .map([.string("uid"): .string(claims.user), .string("token"): CELValue(.object(claims.token))])
  }

  private func request(auth: CELValue) -> CELValue {
    .map([
      .string("time"): .timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds),
      .string("operationName"): .string(operation), .string("auth"): auth,
      .string("variables"): CELValue(.object(variables)),
    ])
  }
}
