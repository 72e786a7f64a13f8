public import JSON

/// What went wrong between a host and an extension. It crosses the pipe whole: what one side throws, the other catches.
///
/// Two errors are equal when their codes are.
public struct ExtensionError: Error, Sendable {
  /// A stable number with a name; `ErrorCodes.swift` lists all of them.
  public struct Code: Hashable, Sendable {
    /// The JSON-RPC error code.
    public let number: Int
    /// A camel-case name, stable like the number.
    public let name: String

    /// A code of an embedder's own. Codes of this project are the static members.
    public init(number: Int, name: String) {
      self.number = number
      self.name = name
    }

    /// Codes are equal when their numbers are.
    public static func == (one: Code, other: Code) -> Bool { one.number == other.number }
    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// What kind of error this is.
  public var code: Code
  /// What happened: one sentence, with the names involved.
  public var message: String
  /// What the reader can do.
  public var recovery: String?
  /// Facts for programs, by name.
  public var details: [String: JSONValue]
  /// The messages of the errors underneath, nearest first.
  public var cause: [String]
  /// Whether an extension answered with this error: its message and details are then the extension's own statement, not
  /// a finding of the host. This flag does not cross the wire.
  public package(set) var isClaim = false

  /// - Parameter recovery: when absent, the advice that the code carries.
  public init(
    _ code: Code, _ message: String, recovery: String? = nil, details: [String: JSONValue] = [:], cause: [String] = []
  ) {
    self.code = code
    self.message = message
    self.recovery = recovery ?? code.recovery
    self.details = details
    self.cause = cause
  }
}

extension ExtensionError: Hashable {
  /// Errors are equal when their codes are, whatever their messages say.
  public static func == (one: ExtensionError, other: ExtensionError) -> Bool { one.code == other.code }
  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension ExtensionError: CustomStringConvertible {
  /// The message with the name and the number of the code.
  public var description: String { "\(message) (\(code.name), \(code.number))" }
}
