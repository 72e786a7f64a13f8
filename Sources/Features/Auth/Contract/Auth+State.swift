public import ExtensionProtocol

extension Auth {
  /// The state of a flow: which input it waits for.
  public struct State: Codable, Sendable, Equatable {
    /// The name of the state, which determines the members that are set.
    public var name: Name
    /// For `codeRequired`: where the code was sent.
    public var code: SentCode?
    /// For `attributesRequired`: the missing attributes.
    public var attributes: [Attribute]?
    /// For `methodRequired` and `registrationRequired`: the methods from which the user chooses.
    public var methods: [Method]?
    /// For `completed`: the signed-in account; absent after a password reset that does not sign in.
    public var account: Account?
    /// The reason the last input was rejected. The flow continues.
    public var problem: Problem?

    /// A state with what it asks for.
    public init(
      _ name: Name, code: SentCode? = nil, attributes: [Attribute]? = nil, methods: [Method]? = nil,
      account: Account? = nil, problem: Problem? = nil
    ) {
      self.name = name
      self.code = code
      self.attributes = attributes
      self.methods = methods
      self.account = account
      self.problem = problem
    }

    /// The states.
    public enum Name: String, Codable, Sendable, CaseIterable {
      /// A one-time code was sent; `oneTimeCode` is asked for, or `auth/resend`.
      case codeRequired
      /// `password` is asked for.
      case passwordRequired
      /// `attributes` are asked for.
      case attributesRequired
      /// A second factor is asked for, and there are several: `methodID`.
      case methodRequired
      /// A second factor has to be registered: `methodID`, and `contact`.
      case registrationRequired
      /// `newPassword` is asked for.
      case newPasswordRequired
      /// The flow has completed.
      case completed
      /// The flow was ended by the app.
      case cancelled
    }
  }

  /// The destination of a one-time code.
  public struct SentCode: Codable, Sendable, Equatable {
    /// `c***r@example.com`.
    public var sentTo: String
    /// `email` or `sms`.
    public var channel: String
    /// Digits, where the server tells it.
    @Length<Int?> public var length: Int?
    /// Seconds until another code may be asked for.
    @NonNegative<Int?> public var resendAfterSeconds: Int?

    /// Creates a description of a sent code.
    ///
    /// - Parameters:
    ///   - length: the number of digits.
    ///   - resendAfterSeconds: the time in seconds until another code may be requested.
    public init(sentTo: String, channel: String, length: Int? = nil, resendAfterSeconds: Int? = nil) {
      self.sentTo = sentTo
      self.channel = channel
      self.length = length
      self.resendAfterSeconds = resendAfterSeconds
    }
  }

  /// An attribute that an account needs.
  public struct Attribute: Codable, Sendable, Equatable {
    /// The name by which the app submits the attribute.
    public var name: String
    /// `string`, `boolean`, `integer`: the server's word.
    public var type: String
    /// Whether the account cannot be without it.
    public var isRequired: Bool
    /// A regular expression of the server's for the value.
    public var pattern: String?

    /// Describes an attribute.
    public init(name: String, type: String, isRequired: Bool, pattern: String? = nil) {
      self.name = name
      self.type = type
      self.isRequired = isRequired
      self.pattern = pattern
    }
  }

  /// A method for proving the user's identity.
  public struct Method: Codable, Sendable, Equatable {
    /// The identifier by which the app chooses the method.
    public var id: String
    /// `email` or `sms`.
    public var channel: String
    /// A masked address, `c***r@example.com`; for a method to register the contact that is known, which fills the box.
    public var hint: String?

    /// Describes a method.
    public init(id: String, channel: String, hint: String? = nil) {
      self.id = id
      self.channel = channel
      self.hint = hint
    }
  }

  /// The reason the server rejected an input.
  public struct Problem: Codable, Sendable, Equatable {
    /// The kind of problem, such as `invalidCode`, `weakPassword` or `invalidAttributes`.
    public var kind: String
    /// What is wrong, in one sentence.
    public var message: String
    /// What the user can do about it, as a sentence.
    public var recovery: String
    /// The identifier of the request in the server's log.
    public var correlationID: String?
    /// The names of the rejected attributes.
    public var names: [String]?

    /// Creates a problem.
    public init(
      kind: String, message: String, recovery: String, correlationID: String? = nil, names: [String]? = nil
    ) {
      self.kind = kind
      self.message = message
      self.recovery = recovery
      self.correlationID = correlationID
      self.names = names
    }
  }
}
