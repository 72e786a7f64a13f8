import Foundation
import Testing

/// Runs the commands of a document one after the other, as a reader at a terminal would.
final class Reader {
  private var host: HostTool
  /// The folder in which the commands run.
  private let place: String
  private var servers: [Program] = []
  /// The addresses that documents name, and those that the servers of this run have.
  private var addresses: [(shown: String, used: String)] = []

  /// What a local server is called, and the port that it takes when none is named.
  private static let ports = ["content": 4503, "files": 4504, "identity": 4505, "index": 4506]
  /// Commands that a document shows because they fail, with their exit statuses.
  private static let failing = ["host sandbox run -- /bin/cat /etc/passwd": Int32(1)]
  /// Lines that prepare a shell, or build what is built already when the tests run.
  private static let prepared = ["make ", "export ", "swift "]

  /// A reader in the folder of a fresh clone: everything of the package but what was built, and nothing else.
  ///
  /// - Throws: what the file system throws.
  init() throws {
    host = try HostTool()
    place = "\(host.folder.path)/annex"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let left: Set<String> = [".build", ".git"]
    for name in try FileManager.default.contentsOfDirectory(atPath: Build.package) where !left.contains(name) {
      try FileManager.default.createSymbolicLink(
        atPath: "\(place)/\(name)", withDestinationPath: "\(Build.package)/\(name)")
    }
    open()
  }

  /// A reader in a folder that a command has made.
  init(_ host: HostTool, in place: String) {
    (self.host, self.place) = (host, place)
    open()
  }

  /// Extensions of a host that is root run as other users, and have to pass.
  private func open() {
    for path in [host.folder.path, place] { chmod(path, 0o755) }
  }

  /// Runs one line and expects that it works.
  func run(_ line: String) async throws {
    if Self.prepared.contains(where: { line.hasPrefix($0) }) { return }
    let words = line.split(separator: " ").map(String.init)
    if words.starts(with: ["host", "serve"]) || words.starts(with: ["host", "data", "emulate"]) {
      return try await serve(line, words)
    }
    let command = addresses.reduce(line) { $0.replacing($1.shown, with: $1.used) }
    if words.starts(with: ["host", "dev"]) { return try await interrupt(command, after: "Waiting for you") }
    if words.contains("watch") || words.contains("--watch") {
      return try await interrupt(command, after: "Watching")
    }
    let output = try await start(command).finish()
    #expect(output.status == Self.failing[line] ?? 0, "\(line)\n\(output)")
  }

  /// Ends the servers, and expects that they end well.
  func end() async throws {
    for server in servers { server.signal(SIGTERM) }
    for server in servers { #expect(try await server.finish().status == 0) }
    servers = []
  }

  private func start(_ command: String) throws -> Program {
    let script = "cd '\(place)' && PATH='\(Build.products)':$PATH && \(command)"
    return try Program("/bin/sh", ["-c", script], environment: host.environment)
  }

  private func interrupt(_ command: String, after text: String) async throws {
    let program = try start("exec \(command)")
    _ = try await program.hear(text)
    program.signal(SIGINT)
    #expect(try await program.finish().status == 130, "\(command)")
  }

  private func serve(_ line: String, _ words: [String]) async throws {
    let isEmulator = words[1] == "data"
    let server = try start("exec \(line) --port 0\(isEmulator ? " --ephemeral" : "")")
    servers.append(server)
    let heard = try await server.hear("ready http").split(whereSeparator: \.isWhitespace).map(String.init)
    let place = try #require(heard.drop { $0 != "ready" }.dropFirst().first)
    let used = String(place.dropFirst("http://".count))
    if isEmulator {
      host.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = used
      return
    }
    let port = try #require(Self.ports[words[2]])
    addresses.append(("127.0.0.1:\(port)", used))
    let settings =
      switch words[2] {
      case "content": "AEM_SCHEME = http\nAEM_HOST = \(used)\n"
      case "identity": "IDENTITY_AUTHORITY = http:/$()/\(used)/local.onmicrosoft.com\n"
      default: ""
      }
    try host.folder.write("home/Config.xcconfig", (host.folder.contents("home/Config.xcconfig") ?? "") + settings)
  }
}
