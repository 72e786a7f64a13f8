public import ExtensionProtocol

extension Auth {
  /// What a flow waits for.
  public struct State: Codable, Sendable, Equatable {
    /// Which of the members matter.
    public var name: Name
    /// Of `codeRequired`: where the code went.
    public var code: SentCode?
    /// Of `attributesRequired`.
    public var attributes: [Attribute]?
    /// Of `methodRequired` and `registrationRequired`: from which the user chooses.
    public var methods: [Method]?
    /// Of `completed`: who is signed in; absent after a reset of a password that signs nobody in.
    public var account: Account?
    /// Why what was given last did not do: the flow goes on all the same.
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
      /// The flow has done what it is about.
      case completed
      /// The flow was ended by the app.
      case cancelled
    }
  }

  /// Where a one-time code went.
  public struct SentCode: Codable, Sendable, Equatable {
    /// `c***r@example.com`.
    public var sentTo: String
    /// `email` or `sms`.
    public var channel: String
    /// Digits, where the server tells it.
    @Length<Int?> public var length: Int?
    /// Seconds until another code may be asked for.
    @NonNegative<Int?> public var resendAfterSeconds: Int?

    /// Tells of a code.
    ///
    /// - Parameters:
    ///   - length: digits.
    ///   - resendAfterSeconds: until another one may be asked for.
    public init(sentTo: String, channel: String, length: Int? = nil, resendAfterSeconds: Int? = nil) {
      self.sentTo = sentTo
      self.channel = channel
      self.length = length
      self.resendAfterSeconds = resendAfterSeconds
    }
  }

  /// An attribute that an account needs.
  public struct Attribute: Codable, Sendable, Equatable {
    /// By which it is given.
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

  /// A way to prove who somebody is.
  public struct Method: Codable, Sendable, Equatable {
    /// By which it is chosen.
    public var id: String
    /// `email` or `sms`.
    public var channel: String
    /// `c***r@example.com`; of one to register, what is known already.
    public var hint: String?

    /// Describes a method.
    public init(id: String, channel: String, hint: String? = nil) {
      self.id = id
      self.channel = channel
      self.hint = hint
    }
  }

  /// Why a step did not do.
  public struct Problem: Codable, Sendable, Equatable {
    /// For example `invalidCode`, `weakPassword`, `invalidAttributes`.
    public var kind: String
    /// One sentence.
    public var message: String
    /// What the user can do about it.
    public var recovery: String
    /// What finds the request in the log of the server.
    public var correlationID: String?
    /// The attributes that it is about.
    public var names: [String]?

    /// Tells of a problem.
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
