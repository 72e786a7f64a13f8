import Cryptography
package import HTTP2
package import WebSocket

extension DataConnectEmulator {
  /// How the emulator listens, which clients it accepts, and how it changes the database.
  package struct Options: Sendable {
    /// The TCP port to listen on; 0 takes any free port.
    package var port = 9_399
    /// The address to listen on. When it is not an address of this machine only, the emulator refuses administrative
    /// requests and accepts only tokens from a configured issuer.
    package var host = "127.0.0.1"
    /// Further names that a `Host` header may have, besides those of this machine.
    package var additionalHostNames: [String] = []
    /// The origins of web pages that may call the emulator besides those of this machine: `https://app.example.com`.
    package var allowedOrigins: Set<String> = []
    /// What an administrator sends as `Authorization: Bearer SECRET`. One that nobody knows unless it is set.
    package var administratorSecret = Hexadecimal.text(for: SecureRandom.bytes(32))
    /// Whether `Authorization: Bearer owner`, which the public clients send to an emulator, is an administrator's too:
    /// then everybody who reaches the port is one.
    package var allowsOwner = false
    /// Whether extensions may send requests of their own, with the mark of a host.
    package var admitsFetches = false
    /// The secret that the role of operations and its password are made of, for a database whose owner may do more than
    /// they may. The same key gives the same role.
    package var roleKey = SecureRandom.bytes(32)
    /// Which tokens the emulator accepts.
    package var tokens = TokenPolicy()
    /// How much one operation may use.
    package var limits = ExecutionLimits()
    /// The most connections to the database.
    package var maximumConnections = 8
    /// The most bytes of a request's body.
    package var maximumBodyBytes = 16 << 20
    /// The most open connections of clients.
    package var mostConnections = 2_048
    /// The most open WebSockets and event streams.
    package var mostStreams = 4_096
    /// The limits of one WebSocket.
    package var streamLimits = WebSocketLimits()
    /// The limits of one connection of gRPC.
    package var remoteCallLimits = HTTP2Limits()
    /// How long a message of gRPC may take from its beginning to its end.
    package var remoteMessageLimit = Duration.seconds(60)
    /// Whether the emulator deploys the project again when one of its files changes.
    package var watches = true
    /// Whether a change of the schema may remove rows or columns from the database.
    package var allowsLoss = false
    /// The folder for copies of the rows that a schema change removes.
    package var dumpFolder: String
    /// Called with the result of each attempt to deploy the project.
    package var deployed: @Sendable (DeploymentReport) -> Void = { _ in }
    /// Receives one line for each answered request; nil for none.
    package var requestLog: (@Sendable (_ line: String) -> Void)?

    /// Creates the default options.
    ///
    /// - Parameter dumpFolder: the folder for copies of the rows that a schema change removes from the database.
    package init(dumpFolder: String) { self.dumpFolder = dumpFolder }
  }
}

extension DataConnectEmulator.Options {
  /// The descriptors that the emulator needs besides its clients: files, threads, watches, and connections that it is
  /// about to refuse.
  private static let reserve = 96

  /// The server waits for the first bytes of as many as it serves, and takes in an eighth more, which it tells to go.
  private static func places(_ connections: Int) -> Int { 2 * connections + connections / 8 }

  /// The descriptors that the emulator needs with the largest permitted number of clients.
  package var descriptors: Int {
    Self.places(mostConnections) + mostStreams + maximumConnections + Self.reserve
  }

  /// Lowers the numbers of connections and streams to what the limit of descriptors allows, so that the emulator can
  /// refuse a client with an answer. Without a free descriptor it could not answer at all.
  ///
  /// - Returns: whether a number was lowered.
  package mutating func fit(descriptors limit: Int) -> Bool {
    guard limit < descriptors else { return false }
    let room = max(25, limit - maximumConnections - Self.reserve)
    // A connection ends soon; a stream stays open.
    mostConnections = min(mostConnections, max(8, room / 5))
    mostStreams = min(mostStreams, max(8, room - Self.places(mostConnections)))
    return true
  }
}
