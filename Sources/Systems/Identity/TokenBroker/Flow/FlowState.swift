internal import JSON
internal import Text

/// The input that a flow waits for, or its end.
package enum FlowState: Sendable, Equatable {
  /// A one-time code was sent.
  case codeRequired(SentCode)
  case passwordRequired
  case attributesRequired([RequiredAttribute])
  /// A second factor is wanted, and there are several.
  case mfaMethodRequired([AuthMethod])
  /// The account has no second factor yet, and needs one.
  case registrationRequired([AuthMethod])
  /// The account is proven; it gets a new password.
  case newPasswordRequired
  /// The server is setting the new password; the flow asks again after so many seconds.
  case polling(seconds: Int)
  /// Only a browser can continue the sign-in, for this reason.
  case browserRequired(AuthError)
  /// The signed-in account; nil after a password reset, when the user has to sign in with the new password.
  case completed(Account?)
  case failed(AuthError)

  /// Whether this is the last state of the flow.
  package var isOver: Bool {
    switch self {
    case .browserRequired, .completed, .failed: true
    default: false
    }
  }

  /// The awaited input, as a noun for messages.
  var wish: String {
    switch self {
    case .codeRequired: "a code"
    case .passwordRequired: "a password"
    case .attributesRequired: "attributes"
    case .mfaMethodRequired: "the choice of a method"
    case .registrationRequired: "a method to register"
    case .newPasswordRequired: "a new password"
    case .polling: "the server"
    case .browserRequired, .completed, .failed: "nothing more"
    }
  }
}

/// The destination of a one-time code.
package struct SentCode: Sendable, Equatable {
  /// The masked address, for example `c***r@example.com`.
  package let sentTo: String
  /// The channel: `email` or `sms`.
  package let channel: String
  /// The number of digits; nil when the server names none.
  package let length: Int?
  /// The seconds until the user may request another code; nil when the server names none.
  package let resendAfter: Int?
}

/// A method for proving the user's identity.
package struct AuthMethod: Sendable, Equatable {
  /// The server's identifier of the method.
  package let id: String
  /// The channel: `email` or `sms`.
  package let channel: String
  /// The masked address, for example `c***r@example.com`. For a registration, the contact that the server already
  /// knows, which fills the box of a form.
  package let hint: String?

  /// The hint, where it is a whole address or number to which a code can be sent; nil for a masked one.
  package var contact: String? { hint.flatMap { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "*")) ? nil : $0 } }
}

/// An attribute that an account needs.
package struct RequiredAttribute: Sendable, Equatable {
  /// The attribute's name, made safe for display.
  package let name: String
  /// `string`, `boolean`, `integer`; the server's word.
  package let kind: String
  /// Whether the server requires the attribute.
  package let isRequired: Bool
  /// The pattern that the value has to match, as the server writes it; nil for none.
  package let pattern: String?

  init?(_ object: JSONObject) {
    guard let name = object["name"]?.stringValue, (1...256).contains(name.utf8.count) else { return nil }
    self.name = quotable(name)
    kind = object["type"]?.stringValue.map { quotable($0) } ?? "string"
    isRequired = object["required"]?.boolValue ?? (object["required"]?.stringValue != "false")
    pattern = object["options"]?["regex"]?.stringValue.map { quotable($0) }
  }
}
