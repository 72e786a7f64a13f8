/// A method that extensions serve, as an extension point or a contract lists it: a request or a notification that the host
/// sends.
///
/// ```swift
/// let calls: [HostCall] = [
///   .request(Render.self, transfers: [.streamOut("html")]),
///   .request(Preview.self, since: PointVersion(1, 1), isOptional: true),
///   .notification(ThemeDidChange.self),
/// ]
/// ```
public struct HostCall: Sendable {
  /// A member of the params or of the result that stands for more than its value.
  public enum Transfer: Sendable, Hashable {
    /// A member of the params is the path of a file that the host granted, relative to the scratch directory.
    case fileIn(String)
    /// A member of the params is the path of a folder that the host granted, for the extension to fill.
    case folderIn(String)
    /// A member of the params is the identifier of a stream of the host's.
    case streamIn(String)
    /// The member of the params that has items, whose attachments the extension may load.
    case itemsIn(String)
    /// A member of the result is the path of a file that the extension made, relative to the scratch directory.
    case fileOut(String)
    /// A member of the result is the identifier of a stream of the extension's.
    case streamOut(String)
    /// The member of the result that has items, whose attachments the host may load.
    case itemsOut(String)
  }

  /// The wire name, `prefix/name`.
  public let method: String
  /// Whether the call is a notification, which has no answer.
  public let isNotification: Bool
  /// The type of a request; `nil` for a notification, and for a method that this program has no type for.
  public let request: (any RemoteMethod.Type)?
  /// The type of a notification; `nil` for a request, and for a method that this program has no type for.
  public let notification: (any RemoteNotification.Type)?
  /// How long an extension may take.
  public let deadline: RequestDeadline
  /// The version of the definition that the method came with; ``PointVersion/first`` is the beginning, whenever that was.
  public let since: PointVersion
  /// Whether an extension may do without it. A notification may always be ignored.
  public let isOptional: Bool
  /// What changes hands besides values.
  public let transfers: [Transfer]

  /// A request.
  ///
  /// - Parameters:
  ///   - type: the params, with their result.
  ///   - since: the version of the definition that it came with.
  ///   - isOptional: whether an extension may do without it, and answer that there is no such method.
  ///   - transfers: what changes hands besides values.
  public static func request<Method: RemoteMethod>(
    _ type: Method.Type, since: PointVersion = .first, isOptional: Bool = false, transfers: [Transfer] = []
  ) -> HostCall {
    HostCall(
      method: Method.method, isNotification: false, request: type, notification: nil, deadline: Method.deadline,
      since: since, isOptional: isOptional, transfers: transfers)
  }

  /// A notification.
  ///
  /// - Parameters:
  ///   - type: the params.
  ///   - since: the version of the definition that it came with.
  public static func notification<Notification: RemoteNotification>(
    _ type: Notification.Type, since: PointVersion = .first
  ) -> HostCall {
    HostCall(
      method: Notification.method, isNotification: true, request: nil, notification: type, deadline: .standard,
      since: since, isOptional: true, transfers: [])
  }

  /// A method that this program has no type for: it knows of it by a property list.
  public static func announced(
    _ method: String, isNotification: Bool = false, deadline: RequestDeadline = .standard, since: PointVersion = .first,
    isOptional: Bool = false, transfers: [Transfer] = []
  ) -> HostCall {
    HostCall(
      method: method, isNotification: isNotification, request: nil, notification: nil, deadline: deadline, since: since,
      isOptional: isOptional || isNotification, transfers: transfers)
  }

  /// The types of the params and of the result; `nil` where there are none.
  public var types: (params: any (Codable & Sendable).Type, result: (any (Codable & Sendable).Type)?)? {
    if let request { return (request, request.resultType) }
    return notification.map { ($0, nil) }
  }

  /// Whether two calls are one: of the same name and the same type.
  func isSame(as other: HostCall) -> Bool {
    guard method == other.method, isNotification == other.isNotification else { return false }
    switch (types?.params, other.types?.params) {
    case (let one?, let two?): return one == two
    case (nil, nil): return true
    default: return false
    }
  }
}

extension RemoteMethod {
  /// The type of the result, where only the type of the params is at hand.
  public static var resultType: any (Codable & Sendable).Type { Result.self }
}
