public import ExtensionProtocol
public import JSON

extension Auth {
  /// What a flow is about.
  public enum Flow: String, Codable, Sendable, CaseIterable {
    /// Somebody with an account signs in.
    case signIn
    /// Somebody gets an account, and is signed in with it.
    case signUp
    /// Somebody gets a new password, and is signed in with it where the server does that.
    case resetPassword
  }

  /// `auth/begin`: begins to sign somebody in, at the identity server of the containing app.
  public struct Begin: RemoteMethod {
    /// The wire name; containing apps call it. What ends the flow at once is the error of the call: `authFailed` with the
    /// kind, for example `userNotFound`, `invalidCredentials` or `browserRequired`.
    public static let method = "auth/begin"
    /// Servers take a while over passwords.
    public static let serviceDeadline: Duration? = .seconds(120)

    /// The flow, and what it waits for.
    public struct Result: Codable, Sendable, Equatable {
      /// By which the next calls name the flow. It ends with the process that began it.
      public var flowID: String
      /// What the flow waits for now.
      public var state: State

      /// Answers with a new flow.
      public init(flowID: String, state: State) {
        self.flowID = flowID
        self.state = state
      }
    }

    /// What the flow is about.
    public var flow: Flow
    /// An address of mail, mostly.
    public var username: String
    /// When the form has it already; the flow asks for it otherwise.
    public var password: SecretText?
    /// Of a sign-up: what the form has already, by the names of the server.
    public var attributes: JSONObject?
    /// What tokens will be for first; more can be asked for later.
    public var scopes: [String]?

    /// Makes the params.
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
    /// What the flow waits for now, and why what was given did not do.
    public var state: State

    /// Answers with a state.
    public init(state: State) { self.state = state }
  }

  /// `auth/continue`: gives a flow what its state asks for.
  public struct Continue: RemoteMethod {
    /// The wire name; containing apps call it. Another thing than the state asks for is `invalidParams`, and the flow is as
    /// it was; what ends the flow is `authFailed`.
    public static let method = "auth/continue"
    /// A reset of a password is polled for.
    public static let serviceDeadline: Duration? = .seconds(300)
    /// The state.
    public typealias Result = Progress

    /// The flow.
    public var flowID: String
    /// What `codeRequired` asks for.
    public var oneTimeCode: SecretText?
    /// What `passwordRequired` asks for.
    public var password: SecretText?
    /// What `newPasswordRequired` asks for.
    public var newPassword: SecretText?
    /// What `attributesRequired` asks for.
    public var attributes: JSONObject?
    /// What `methodRequired` and `registrationRequired` ask for: the `id` of one of their methods.
    public var methodID: String?
    /// With a method to register, the address or number; `nil` takes the one that is known.
    public var contact: String?

    /// Makes the params; one of the values is given.
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
    /// The wire name; containing apps call it. A flow that is over already is no error.
    public static let method = "auth/cancel"
    /// The state, `cancelled`.
    public typealias Result = Progress

    /// The flow.
    public var flowID: String

    /// Names the flow.
    public init(flowID: String) { self.flowID = flowID }
  }
}
