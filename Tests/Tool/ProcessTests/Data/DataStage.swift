import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HTTPServer
import PostgreSQL
import Synchronization
import Testing

@testable import DataConnectEmulator
@testable import HostServices
@testable import DataServices

/// A host and an emulator of the movies, both in this process, with scripts in the sandbox that may ask the emulator for
/// everything.
struct DataStage {
  let folder: TemporaryFolder
  let emulator: DataConnectEmulator
  let address: ServerAddress
  let carrier: CountedCarrier
  let host: ExtensionHost
  let permissions: PermissionAuthority
  let registry: ExtensionRegistry
  let log: LogBook

  /// Brings what it is given to a carrier, and counts.
  final class CountedCarrier: DataCarrier {
    private let carrier: ClientCarrier
    private let open = Mutex(0)

    init(_ carrier: ClientCarrier) { self.carrier = carrier }

    /// How many queries are followed now.
    var followers: Int { open.withLock { $0 } }

    var location: String? { carrier.location }
    var allowsEmulator: Bool { carrier.allowsEmulator }
    func execute(_ call: DataCall) async throws -> DataContract.Outcome { try await carrier.execute(call) }
    func run() async throws { try await carrier.run() }

    func follow(_ call: DataCall, _ take: @escaping @Sendable (DataContract.Outcome) -> Void) async throws {
      open.withLock { $0 += 1 }
      defer { open.withLock { $0 -= 1 } }
      try await carrier.follow(call, take)
    }
  }

  /// - Parameter install: puts extensions there before the host looks.
  static func run(
    install: (TemporaryFolder) throws -> Void, _ body: (DataStage) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    try install(folder)
    let project = "\(folder.path)/dataconnect"
    try FileManager.default.copyItem(atPath: "\(Build.package)/Plugins/Movies/dataconnect", toPath: project)
    var options = DataConnectEmulator.Options(dumpFolder: "\(folder.path)/dumps")
    options.port = 0
    options.watches = false
    options.deployed = { #expect($0.isDeployed, "\($0.problems) \($0.failure ?? "")") }
    let emulator = try DataConnectEmulator(
      project: project, target: try PostgreSQLTarget(try await TestDatabase.url()), options: options)
    try await emulator.withRunning { address in
      let stage = try await DataStage(folder, emulator, address)
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { [host = stage.host] in try await host.run() }
        try await body(stage)
      }
    }
  }

  private init(_ folder: TemporaryFolder, _ emulator: DataConnectEmulator, _ address: ServerAddress) async throws {
    (self.folder, self.emulator, self.address) = (folder, emulator, address)
    let registry = ExtensionRegistry(
      RegistrySources(
        manifestFolders: [Build.fixtures, "\(folder.path)/manifests"].map {
          RegistrySources.ManifestFolder(path: $0, products: Build.products)
        }))
    self.registry = registry
    let state = StateDirectory(path: "\(folder.path)/home")
    permissions = PermissionAuthority(state: state)
    log = LogBook()
    let server = DataServer(
      project: "demo", host: address.host, port: address.port, isSecure: false, location: "us-east4", isEmulator: true)
    let carrier = CountedCarrier(ClientCarrier(server, cacheFolder: nil, identities: nil))
    self.carrier = carrier
    var services = StandardServices(
      state: state, registry: registry, permissions: permissions, log: log)
    services.configuration.controlGroups = ControlGroupPlace.use
    services.configuration.deadlines.handshake = .seconds(30)
    services.use(DataService(carrier: carrier))
    host = try services.makeHost()
    for entry in registry.entries where !entry.isApp {
      for asked in entry.manifest?.askedPermissions ?? [] where asked.name == "data" {
        try await permissions.decide(asked, .granted, for: entry.identifier)
      }
    }
  }

  // MARK: Extensions

  /// Puts a widget there that runs Python with the library below when it is updated.
  @discardableResult
  static func install(_ name: String, in folder: TemporaryFolder, _ body: String) throws -> String {
    try Script.install(
      name, in: folder, annex: "<key>DataConnect</key><array><string>movies/movies</string></array>",
      prelude: library, body)
  }

  private static let library = """
    waiting = []

    def read():
        line = sys.stdin.readline()
        message = json.loads(line) if line else {"method": "terminate", "id": 0}
        if message.get("method") == "terminate":
            send({"id": message["id"], "result": {}})
            sys.exit(0)
        return message

    def ask(name, params):
        send({"id": 7, "method": name, "params": params})
        while True:
            message = read()
            if message.get("id") == 7 and "method" not in message:
                return message
            waiting.append(message)

    def log(text):
        send({"method": "$/log", "params": {"level": "warning", "message": text}})

    def create(title, genre):
        variables = {"title": title, "genre": genre, "imageUrl": ""}
        return ask("data/execute", {
            "connector": "movies/movies", "operation": "CreateMovie", "kind": "mutation", "variables": variables})

    def subscribe(operation, variables):
        reply = ask("data/subscribe", {"connector": "movies/movies", "operation": operation, "variables": variables})
        stream = reply["result"]["stream"]
        send({"method": "$/stream/ack", "params": {"streamID": stream, "credit": 1 << 20}})
        return stream

    def results():
        while True:
            message = waiting.pop(0) if waiting else read()
            params = message.get("params", {})
            if message.get("method") == "$/stream/data" and params.get("value"):
                yield params["streamID"], [movie["title"] for movie in params["value"]["data"]["movies"]]
            if message.get("method") == "$/stream/end":
                yield params["streamID"], params.get("error", {}).get("code", "the end")
    """

  /// What a widget shows, or the error that its update ends with.
  func shown(by id: String) async -> String {
    let requests = host.service(RequestService.self)
    do {
      return try await host.withExtension(id) {
        "\(try await $0.performUpdate(requests: requests, deadline: .seconds(60)))"
      }
    } catch {
      return "\(error)"
    }
  }

  // MARK: The server

  /// How many subscriptions the emulator has.
  var subscribers: Int { emulator.liveQueries.subscriberCount }

  /// How many connections these came over.
  var connections: Int { emulator.openStreams.load(ordering: .relaxed) }

  /// Waits until nobody follows anything, in the host and at the emulator.
  func isQuiet() async {
    while carrier.followers > 0 || subscribers > 0 { await Task.yield() }
  }
}
