import ExtensionProtocol

/// A question as one of the user's hosts sends it to another program of the user. What stands in it is foreign text, as in
/// ``PermissionQuestion``.
struct QuestionAsked: Codable, Sendable {
  static let method = "question/ask"

  private let id: String
  private let displayName: String
  private let point: String
  private let containingApp: String
  private let origin: String
  private let permission: String
  private let scope: [String]
  private let reason: String

  init(_ question: PermissionQuestion) {
    (id, displayName) = (question.caller.id, question.caller.displayName)
    (point, containingApp) = (question.caller.point.rawValue, question.caller.containingApp)
    (origin, permission) = (question.caller.origin, question.permission.name)
    (scope, reason) = (question.scope, question.reason)
  }

  /// The question; `nil` for a permission that there is not.
  var question: PermissionQuestion? {
    guard let kind = PermissionKind.named(permission) else { return nil }
    var caller = Caller.Identity(
      id: id, version: nil, displayName: displayName, point: ExtensionPoint(rawValue: point),
      containingApp: containingApp, groups: [], entitlements: [])
    caller.origin = origin
    let reason = PermissionQuestion.shown(reason)
    return PermissionQuestion(caller: caller, permission: kind, scope: scope, reason: reason)
  }
}

/// The answer to a ``QuestionAsked``.
struct QuestionAnswered: Codable, Sendable {
  let answer: Consent.Answer
}
