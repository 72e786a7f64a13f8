public import ExtensionProtocol
public import JSONSchema
import Text

/// What one method is called with and answered with, for a program that has no types for it.
public struct MethodSchema: Sendable {
  /// The sender of a message.
  public enum Caller: String, Sendable, Hashable, CaseIterable {
    case host, `extension`, either
  }

  /// The wire name, `prefix/name`.
  public var method: String
  /// The side that calls the method.
  public var caller: Caller
  /// What the params are.
  public var params: JSONSchema
  /// What the result is; `nil` for a notification.
  public var result: JSONSchema?
  /// How long an extension may take.
  public var deadline = RequestDeadline.standard
  /// The version of the point's definition that the method came with.
  public var since = PointVersion.first
  /// Whether an extension may do without it.
  public var isOptional = false
  /// What changes hands besides values.
  public var transfers: [HostCall.Transfer] = []

  /// Whether the method is a notification, which has no answer.
  public var isNotification: Bool { result == nil }

  /// A method that extensions serve, with the standard deadline; the parameters are as the properties say.
  public init(_ method: String, caller: Caller, params: JSONSchema, result: JSONSchema?) {
    self.method = method
    self.caller = caller
    self.params = params
    self.result = result
  }

  /// The method with its names and rules only, as a definition lists it.
  public var call: HostCall {
    .announced(
      method, isNotification: isNotification, deadline: deadline, since: since, isOptional: isOptional,
      transfers: transfers)
  }

  /// The beginning of the names of the definitions that are about a method: `widget.performUpdate`, `wire.ping`.
  static func stem(of method: String) -> String {
    let plain = method.hasPrefix("$/") ? "wire." + method.dropFirst(2) : method
    return plain.pathParts().joined(separator: ".")
  }
}
