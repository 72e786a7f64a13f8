package import CommandLineTool
package import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
package import HTTPServer

extension CommandOption {
  /// Lets extensions send a local server requests of their own.
  package static let allowFetch = CommandOption.flag(
    "allow-fetch", "Let extensions with the network permission send requests to this server")

  /// Names web pages that may call a local server.
  package static let allowOrigin = CommandOption.value(
    "allow-origin", "ORIGIN", "Let the web pages of an origin call this server: http://localhost:5173",
    isRepeatable: true)
}

extension Invocation {
  /// The origins that `--allow-origin` names.
  ///
  /// - Throws: `CommandLineError` for what browsers send as no origin.
  package func allowedOrigins() throws(CommandLineError) -> Set<String> {
    let names = parsed.values("allow-origin")
    for name in names where !Self.isOrigin(name) {
      throw CommandLineError(
        "“\(name.escapedForTerminal)” is not the origin of a web page.",
        help: "Write scheme and host in lower case, a port that is not the scheme's own, and nothing else: "
          + "http://localhost:5173.")
    }
    return Set(names)
  }

  /// Whether a browser says so of a page: it writes lower case, and leaves the port of the scheme out.
  private static func isOrigin(_ name: String) -> Bool {
    let standardPort = name.hasPrefix("https:") ? ":443" : ":80"
    return Door.origin(of: name) == name && name.lowercased() == name && !name.hasSuffix(standardPort)
  }

  /// Runs a local server until the task is cancelled, in the list of those that run on this machine.
  ///
  /// - Parameters:
  ///   - name: the word after `host serve`.
  ///   - secret: what its administrators send; empty without any.
  ///   - admitsFetches: whether extensions may send it requests of their own.
  ///   - ready: called once with the address, when the port is open.
  /// - Throws: what the server throws; `storeFailed` when the list cannot be written.
  package func serve(
    _ server: some StandInServer, as name: String, secret: String = "", admitsFetches: Bool,
    ready: (_ url: String) -> Void
  ) async throws {
    let servers = LocalServers(try state())
    try await server.withRunning { address in
      let entry = LocalServers.Entry(
        name: name, host: address.host, port: address.port, secret: secret, admitsFetches: admitsFetches)
      try servers.add(entry)
      defer { servers.remove(entry) }
      ready(address.url)
      await untilCancelled()
    }
  }
}
