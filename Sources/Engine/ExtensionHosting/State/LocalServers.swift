package import ExtensionProtocol
import Files
import JSON
import Sandbox

/// The servers of the tool that run on this machine, each with a file in the state directory that its user alone can read.
///
/// From it the tool's other commands have the secret of an administrator, and a host knows which ports extensions must
/// leave alone. A file counts as long as the process runs that wrote it.
package struct LocalServers: Sendable {
  /// A server that listens.
  package struct Entry: Sendable, Hashable {
    /// The word after `host serve`.
    package var name: String
    /// The address, such as `127.0.0.1`; one of version 6 without brackets.
    package var host: String
    /// The port.
    package var port: Int
    /// What an administrator sends to it as `Authorization: Bearer SECRET`; empty for a server without administrators.
    package var secret: String
    /// Whether extensions may send it requests of their own: by `network/fetch` and by transfers.
    package var admitsFetches: Bool

    /// Creates an entry; the arguments are described at the properties.
    package init(name: String, host: String, port: Int, secret: String = "", admitsFetches: Bool) {
      (self.name, self.host, self.port) = (name, host, port)
      (self.secret, self.admitsFetches) = (secret, admitsFetches)
    }
  }

  private static let limit = 4 << 10
  private let state: StateDirectory
  private var folder: String { "\(state.path)/servers" }

  /// - Parameter state: where the files are, in the folder `servers`.
  package init(_ state: StateDirectory) { self.state = state }

  /// A secret of 256 bits, by the generator of the system.
  package static func newSecret() -> String {
    (0..<4).map { _ in
      let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private func path(_ host: String, _ port: Int) -> String { "\(folder)/\(host)_\(port).json" }

  /// Adds a server that listens, until it is removed or this process ends.
  ///
  /// - Throws: `storeFailed`.
  package func add(_ entry: Entry) throws(ExtensionError) {
    _ = try state.folder("servers")
    for name in Folder.names(in: folder, endingIn: ".json") where read("\(folder)/\(name)") == nil {
      File.remove("\(folder)/\(name)")
    }
    let content: JSONObject = [
      "name": .string(entry.name), "host": .string(entry.host), "port": .integer(Int64(entry.port)),
      "secret": .string(entry.secret), "admitsFetches": .bool(entry.admitsFetches),
      "process": .string(ProcessIdentity.current.text),
    ]
    do throws(FileError) {
      try File.replace(path(entry.host, entry.port), with: Array(JSONValue.object(content).description.utf8))
    } catch {
      throw ExtensionError(error)
    }
  }

  /// Removes a server that listens no more.
  package func remove(_ entry: Entry) {
    if read(path(entry.host, entry.port)) == entry { File.remove(path(entry.host, entry.port)) }
  }

  /// The server at an address; `nil` when none of the tool's listens there.
  ///
  /// - Parameter host: an address of version 6 with brackets or without; `localhost` is looked for in both versions.
  package func server(at host: String, port: Int) -> Entry? {
    var host = host.lowercased()
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let hosts = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
    return hosts.lazy.compactMap { isAddress($0) ? read(path($0, port)) : nil }.first
  }

  /// The servers at a port, whatever their address.
  package func servers(atPort port: Int) -> [Entry] {
    Folder.names(in: folder, endingIn: "_\(port).json").compactMap { read("\(folder)/\($0)") }
      .filter { $0.port == port }
  }

  /// The servers with a name, those with the least port first.
  package func servers(named name: String) -> [Entry] {
    Folder.names(in: folder, endingIn: ".json").compactMap { read("\(folder)/\($0)") }
      .filter { $0.name == name }.sorted { $0.port < $1.port }
  }

  private func isAddress(_ host: String) -> Bool {
    !host.isEmpty && host.utf8.count <= 64 && host.utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
  }

  /// The entry of a file that others can neither read nor write, and whose process runs.
  private func read(_ path: String) -> Entry? {
    guard let bytes = try? File.readPrivate(path, limit: Self.limit), let value = try? JSONCoding.parse(bytes),
      let process = value["process"]?.stringValue.flatMap({ ProcessIdentity($0) }), process.isAlive,
      let name = value["name"]?.stringValue, let host = value["host"]?.stringValue,
      let port = value["port"]?.integerValue.flatMap({ Int(exactly: $0) }),
      let secret = value["secret"]?.stringValue, let admitsFetches = value["admitsFetches"]?.boolValue
    else { return nil }
    return Entry(name: name, host: host, port: port, secret: secret, admitsFetches: admitsFetches)
  }
}
