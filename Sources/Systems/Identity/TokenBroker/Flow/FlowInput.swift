package import ConfigurationFiles
package import JSON

/// The purpose of a flow.
package enum FlowKind: String, Sendable, CaseIterable {
  case signIn, signUp, resetPassword
}

/// The values that a flow starts with.
package struct FlowStart: Sendable, Equatable {
  /// The purpose of the flow.
  package var kind: FlowKind
  /// The user's name, usually an email address.
  package var username: String
  /// The password; nil when the flow asks for it or uses a one-time code.
  package var password: Secret?
  /// The attributes of a new account, for sign-up; nil for none.
  package var attributes: JSONObject?
  /// The scopes of the access token that the flow ends with.
  package var scopes: ScopeList

  /// Creates a start from the flow's purpose, the user and the scopes.
  package init(
    _ kind: FlowKind, username: String, password: Secret? = nil, attributes: JSONObject? = nil,
    scopes: ScopeList = .standard
  ) {
    (self.kind, self.username, self.password) = (kind, username, password)
    (self.attributes, self.scopes) = (attributes, scopes)
  }
}

/// A user's input to a flow.
package enum FlowInput: Sendable, Equatable {
  case code(Secret)
  /// The request to send another one-time code.
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
