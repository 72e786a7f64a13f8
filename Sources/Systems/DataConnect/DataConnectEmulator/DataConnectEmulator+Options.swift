package import WebSocket

extension DataConnectEmulator {
  /// How the server behaves.
  package struct Options: Sendable {
    /// 0 takes any free port.
    package var port = 9_399
    /// The address to listen at. At another than this machine's own, nobody is an administrator, and tokens need an
    /// issuer.
    package var host = "127.0.0.1"
    /// Names that a `Host` field may have besides those of this machine.
    package var additionalHostNames: [String] = []
    /// Where pages may come from besides this machine: `https://app.example.com`.
    package var allowedOrigins: Set<String> = []
    package var tokens = TokenPolicy()
    package var limits = ExecutionLimits()
    /// Connections to the database.
    package var maximumConnections = 8
    package var maximumBodyBytes = 16 << 20
    /// Connections of clients.
    package var mostConnections = 2_048
    /// WebSockets and event streams.
    package var mostStreams = 4_096
    package var streamLimits = WebSocketLimits()
    /// Whether the project is deployed anew when one of its files changes.
    package var watches = true
    /// Whether a change of the schema may remove rows or columns.
    package var allowsLoss = false
    /// Where what is removed is written before.
    package var dumpFolder: String
    /// Hears what became of each attempt to deploy the project.
    package var deployed: @Sendable (DeploymentReport) -> Void = { _ in }

    /// - Parameter dumpFolder: where what a change of the schema removes from the database is written before.
    package init(dumpFolder: String) { self.dumpFolder = dumpFolder }
  }
}

extension DataConnectEmulator.Options {
  /// Descriptors that an emulator takes for itself: files, threads, watches, and calls that are on their way to be refused.
  private static let reserve = 96

  /// The descriptors that it needs when it has as many clients as there may be.
  package var descriptors: Int {
    // The server takes in an eighth more than it keeps, and tells them to go.
    mostConnections + mostConnections / 8 + mostStreams + maximumConnections + Self.reserve
  }

  /// Lets there be so many clients only as there are descriptors for: who comes beyond that is told, where a server
  /// without a descriptor left would keep silent.
  ///
  /// - Returns: whether there are fewer than there could be.
  package mutating func fit(descriptors limit: Int) -> Bool {
    guard limit < descriptors else { return false }
    let room = max(18, limit - maximumConnections - Self.reserve)
    // A call is over soon, a stream is not.
    mostConnections = min(mostConnections, max(8, room / 3))
    mostStreams = min(mostStreams, max(8, room - mostConnections - mostConnections / 8))
    return true
  }
}
