public import ExtensionProtocol
public import JSON

extension Auth {
  /// The kinds of flow.
  public enum Flow: String, Codable, Sendable, CaseIterable {
    /// A user with an account signs in.
    case signIn
    /// A user creates an account and is signed in.
    case signUp
    /// A user sets a new password, and is signed in if the server supports that.
    case resetPassword
  }

  /// `auth/begin`: begins a flow at the identity server of the containing app.
  public struct Begin: RemoteMethod {
    /// The wire name; containing apps call it. What ends the flow at once is the error of the call: `authFailed` with the
    /// kind, for example `userNotFound`, `invalidCredentials` or `browserRequired`.
    public static let method = "auth/begin"
    /// Servers take a while over passwords.
    public static let serviceDeadline: Duration? = .seconds(120)

    /// The flow, and what it waits for.
    public struct Result: Codable, Sendable, Equatable {
      /// The identifier of the flow for the next calls. The flow ends with the process that began it.
      public var flowID: String
      /// The state that the flow waits in.
      public var state: State

      /// Answers with a new flow.
      public init(flowID: String, state: State) {
        self.flowID = flowID
        self.state = state
      }
    }

    /// The kind of flow.
    public var flow: Flow
    /// An address of mail, mostly.
    public var username: String
    /// When the form has it already; the flow asks for it otherwise.
    public var password: SecretText?
    /// For a sign-up: the attributes that the form already has, by the server's names.
    public var attributes: JSONObject?
    /// The scopes of the first tokens; the app can request others later.
    public var scopes: [String]?

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - password: `nil` to be asked for it.
    ///   - attributes: of a sign-up.
    ///   - scopes: of one resource; `nil` for none.
    public init(
      flow: Flow, username: String, password: SecretText? = nil, attributes: JSONObject? = nil,
      scopes: [String]? = nil
    ) {
      self.flow = flow
      self.username = username
      self.password = password
      self.attributes = attributes
      self.scopes = scopes
    }
  }

  /// The state of a flow after a call.
  public struct Progress: Codable, Sendable, Equatable {
    /// The state that the flow waits in, with the problem of the last input if it was rejected.
    public var state: State

    /// Answers with a state.
    public init(state: State) { self.state = state }
  }

  /// `auth/continue`: gives a flow what its state asks for.
  public struct Continue: RemoteMethod {
    /// The wire name; containing apps call it. Input that the state does not ask for is `invalidParams` and leaves the
    /// flow unchanged; a failure that ends the flow is `authFailed`.
    public static let method = "auth/continue"
    /// A reset of a password is polled for.
    public static let serviceDeadline: Duration? = .seconds(300)
    /// The state.
    public typealias Result = Progress

    /// The flow.
    public var flowID: String
    /// The input for `codeRequired`.
    public var oneTimeCode: SecretText?
    /// The input for `passwordRequired`.
    public var password: SecretText?
    /// The input for `newPasswordRequired`.
    public var newPassword: SecretText?
    /// The input for `attributesRequired`.
    public var attributes: JSONObject?
    /// The input for `methodRequired` and `registrationRequired`: the `id` of one of the offered methods.
    public var methodID: String?
    /// With a method to register, the address or number; `nil` takes the one that is known.
    public var contact: String?

    /// Creates the params; one of the values is given.
    public init(
      flowID: String, oneTimeCode: SecretText? = nil, password: SecretText? = nil, newPassword: SecretText? = nil,
      attributes: JSONObject? = nil, methodID: String? = nil, contact: String? = nil
    ) {
      self.flowID = flowID
      self.oneTimeCode = oneTimeCode
      self.password = password
      self.newPassword = newPassword
      self.attributes = attributes
      self.methodID = methodID
      self.contact = contact
    }
  }

  /// `auth/resend`: has another one-time code sent, while `codeRequired` is the state.
  public struct Resend: RemoteMethod {
    /// The wire name; containing apps call it.
    public static let method = "auth/resend"
    /// The state.
    public typealias Result = Progress

    /// The flow.
    public var flowID: String

    /// Names the flow.
    public init(flowID: String) { self.flowID = flowID }
  }

  /// `auth/cancel`: ends a flow before its end.
  public struct Cancel: RemoteMethod {
    /// The wire name; containing apps call it. Cancelling a flow that has ended is not an error.
    public static let method = "auth/cancel"
    /// The state, `cancelled`.
    public typealias Result = Progress

    /// The flow.
    public var flowID: String

    /// Names the flow.
    public init(flowID: String) { self.flowID = flowID }
  }
}
