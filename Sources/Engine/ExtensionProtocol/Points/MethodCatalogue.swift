/// Every method that crosses the wire between a host and its extensions, in both directions, as contracts and definitions of
/// points list them. What belongs to the wire itself (`initialize`, `$/ping` and their like) is in ``wire``.
public struct MethodCatalogue: Sendable {
  /// An entry of the catalogue: one method.
  public struct Entry: Sendable {
    /// The wire name.
    public let method: String
    /// Whether the host calls it; otherwise an extension does.
    public let isCalledByHost: Bool
    /// Whether the method is a notification, which has no answer.
    public let isNotification: Bool
    /// The type of the params; `nil` when this program has none.
    public let params: (any (Codable & Sendable).Type)?
    /// The type of the result; `nil` for a notification, and when this program has none.
    public let result: (any (Codable & Sendable).Type)?
    /// The points whose extensions serve the method; `nil` when that does not depend on the point.
    public let points: [ExtensionPoint]?
    /// What changes hands besides values.
    public let transfers: [HostCall.Transfer]

    fileprivate init(_ call: HostCall, points: [ExtensionPoint]?) {
      method = call.method
      isCalledByHost = true
      isNotification = call.isNotification
      (params, result) = (call.types?.params, call.types?.result)
      self.points = points
      transfers = call.transfers
    }

    fileprivate init(_ type: any RemoteMethod.Type) {
      method = type.method
      isCalledByHost = false
      isNotification = false
      (params, result) = (type, type.resultType)
      points = nil
      transfers = []
    }
  }

  /// The methods in the order of their names.
  public let entries: [Entry]

  /// The methods of some contracts and points.
  public init(contracts: [any ServiceContract.Type], points: ExtensionPointTable) {
    var entries = contracts.flatMap { $0.methods.map { Entry($0) } }
    entries += contracts.flatMap { $0.calls.map { Entry($0, points: nil) } }
    var known: Set<String> = []
    for definition in points.all {
      for call in definition.calls where known.insert(call.method).inserted {
        let sharing = points.all.filter { $0.prefix == definition.prefix }.map(\.point)
        entries.append(Entry(call, points: sharing))
      }
    }
    self.entries = entries.sorted { $0.method < $1.method }
  }

  /// What the wire itself has from the host to an extension, at every point.
  public static let wire: [HostCall] = [
    .request(Initialize.self), .notification(Initialized.self), .request(Terminate.self), .request(Ping.self),
    .notification(SetTrace.self), .notification(PermissionsDidChange.self), .notification(MemoryWarning.self),
    .notification(Progress.self),
  ]
}
