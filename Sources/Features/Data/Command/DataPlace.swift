import CommandLineTool
import CommandRuntime
import Cryptography
import DataConnectCompiler
import ExtensionHosting
import ExtensionProtocol
import Files
import PostgreSQL
import PostgreSQLCluster

/// The database of a service on this machine: the one on the command line, otherwise one of a private server.
struct DataPlace: Sendable {
  static let database = CommandOption.value(
    "database", "URL", "A PostgreSQL database in place of the private one, without a password",
    environment: "FIREBASE_DATACONNECT_POSTGRESQL_STRING")

  /// The folder for copies of rows that a schema change removes.
  let dumpFolder: String
  private let named: PostgreSQLTarget?
  private let keyFile: String
  private let folder: String
  private let name: String
  private let isEphemeral: Bool
  private let console: Console

  init(_ invocation: Invocation, _ service: CompiledServices.Service) throws {
    let configuration = service.source?.configuration
    let id = configuration?.serviceID ?? "service"
    let data = try invocation.state().folder("data")
    folder = "\(data)/\(Self.folderName(id))"
    dumpFolder = "\(folder).removed"
    keyFile = "\(data)/role.key"
    name = configuration?.database?.database ?? id
    isEphemeral = invocation.parsed.flag("ephemeral")
    console = invocation.console
    named = try Self.target(invocation)
    if named != nil, isEphemeral || invocation.parsed.flag("reset") {
      throw CommandLineError(
        "--ephemeral and --reset are about the private database, and --database names another.",
        help: "Leave one of them out.")
    }
  }

  /// The database that is named.
  private static func target(_ invocation: Invocation) throws -> PostgreSQLTarget? {
    guard let url = invocation.parsed.value("database"), !url.isEmpty else { return nil }
    do throws(PostgreSQLError) {
      let target = try PostgreSQLTarget(url).keepingPasswordsPrivate()
      let isOfEnvironment = url == invocation.environment["FIREBASE_DATACONNECT_POSTGRESQL_STRING"]
      guard isOfEnvironment || !target.hasPassword else {
        throw PostgreSQLError(.invalidTarget, "A password on a command line can be read by everybody on the machine.")
      }
      return target
    } catch {
      throw ExtensionError(
        .invalidParams, "--database: \(error.message)",
        recovery: "Write postgresql://user@host/database; a password belongs in ~/.pgpass.")
    }
  }

  /// An id as the name of a folder, no two with the same: a digest follows where characters are replaced or left out.
  static func folderName(_ id: String) -> String {
    let name = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" }
    guard name.isEmpty || name.count > 63 || !String(name).utf8.elementsEqual(id.utf8) else { return String(name) }
    return "\(String(name.prefix(29)))_.\(SHA256.hexadecimal(of: id.utf8).prefix(32))"
  }

  /// The secret of the role that operations have in a database whose owner may do too much. It is made once, and stays.
  func roleKey() throws(ExtensionError) -> [UInt8] {
    do throws(FileError) {
      if let key = try File.readPrivate(keyFile, limit: 64), key.count == 64 { return key }
      let key = Array(LocalServers.newSecret().utf8)
      try File.replace(keyFile, with: key)
      return key
    } catch {
      throw ExtensionError(error)
    }
  }

  /// Moves the data of the private database aside, and says where to.
  func reset() async throws {
    do throws(PostgreSQLClusterError) {
      if let path = try await PostgreSQLCluster.reset(folder: folder, keeping: true) {
        console.note("The data of before is in \(path).")
      }
    } catch {
      throw ExtensionError(.storeFailed, error.message, recovery: error.recovery)
    }
  }

  /// Runs the body with the database; a private server ends with it.
  func withDatabase<Value: Sendable>(_ body: (PostgreSQLTarget) async throws -> Value) async throws -> Value {
    if let named { return try await body(named) }
    do {
      let cluster = isEphemeral ? try PostgreSQLCluster.temporary() : PostgreSQLCluster(folder: folder)
      if FileStatus("\(folder)/data") == nil { console.detail("The database is made, which takes a second or two.") }
      let result: Result<Value, any Error>
      do {
        result = .success(try await withRunning(cluster, body))
      } catch {
        result = .failure(error)
      }
      await cluster.stop()
      return try result.get()
    } catch let error as PostgreSQLClusterError {
      if error.kind == .cancelled { throw CancellationError() }
      throw ExtensionError(.serviceUnavailable, error.message, recovery: error.recovery)
    }
  }
}

extension DataPlace {
  /// Runs the body with the database of a server that is started again when it ends by itself.
  private func withRunning<Value: Sendable>(
    _ cluster: PostgreSQLCluster, _ body: (PostgreSQLTarget) async throws -> Value
  ) async throws -> Value {
    let target = try await cluster.database(name)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [console] in
        try await cluster.keepRunning { reason in
          if let reason { console.warn("\(reason.message)") } else { console.note("The database is there again.") }
        }
      }
      let result: Result<Value, any Error>
      do { result = .success(try await body(target)) } catch { result = .failure(error) }
      await cluster.stop()
      return try result.get()
    }
  }
}

extension CompiledServices {
  /// The one service that there is.
  ///
  /// - Throws: `Failure` when there are several.
  func only() throws(Failure) -> Service {
    if services.count == 1 { return services[0] }
    let names = services.compactMap { $0.source?.configuration.serviceID }
    throw Failure(
      ExtensionError(
        .invalidParams, "There are \(services.count) services: \(names.joined(separator: ", ")).",
        recovery: "Name one with --service, or its folder with --dir."), status: .usage)
  }
}
