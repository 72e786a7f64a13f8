package import ConfigurationFiles
package import JSON

/// What a flow is about.
package enum FlowKind: String, Sendable, CaseIterable {
  case signIn, signUp, resetPassword
}

/// What a flow begins with.
package struct FlowStart: Sendable, Equatable {
  package var kind: FlowKind
  package var username: String
  package var password: Secret?
  package var attributes: JSONObject?
  package var scopes: ScopeList

  package init(
    _ kind: FlowKind, username: String, password: Secret? = nil, attributes: JSONObject? = nil,
    scopes: ScopeList = .standard
  ) {
    (self.kind, self.username, self.password) = (kind, username, password)
    (self.attributes, self.scopes) = (attributes, scopes)
  }
}

/// What somebody gives a flow that waits.
package enum FlowInput: Sendable, Equatable {
  case code(Secret)
  /// Another code, please.
  case resend
  case password(Secret)
  case newPassword(Secret)
  case attributes(JSONObject)
  /// - Parameter id: of one of the methods that the state names.
  case method(id: String)
  /// - Parameters:
  ///   - id: of one of the methods that the state names.
  ///   - contact: the address or the number; nil takes the one that is known.
  case register(id: String, contact: String?)

  var name: String {
    switch self {
    case .code: "a code"
    case .resend: "the wish for another code"
    case .password: "a password"
    case .newPassword: "a new password"
    case .attributes: "attributes"
    case .method: "the choice of a method"
    case .register: "a method to register"
    }
  }
}
