import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import GroupStore
import HostServices
import JSON
import PostgreSQL
import PostgreSQLGroupStore

/// Whether the group store is sound, or its database can be reached, for `host doctor`.
struct StoreReport {
  /// One line.
  let text: String
  /// `{path, state: sound|damaged|absent, error?}`, or
  /// `{server, database, version, roundTripMicroseconds, state: reachable|unreachable, error?}`
  private(set) var document: JSONObject
  /// What is wrong, and what to do.
  let error: ExtensionError?

  init(_ place: StorePlace, _ state: StateDirectory) async {
    if let backend = place.backend {
      self = await StoreReport(backend)
    } else {
      self = StoreReport(file: "\(state.path)/store/groups.sqlite")
    }
    if let error { document["error"] = .object(Failure(error).object) }
  }

  private init(file path: String) {
    let exists = FileStatus(path) != nil
    error = SuiteStore.damage(ofFile: path).map { damage in
      ExtensionError(
        .storeFailed, "The group store \(path) is damaged. \(damage)",
        recovery:
          "End all hosts, save what can be read (sqlite3 '\(path)' .recover), and move the file away: the next host "
          + "begins a new one.")
    }
    text = error != nil ? "damaged" : exists ? "sound, \(path)" : "none yet"
    document = ["path": .string(path)]
    document["state"] = .string(error != nil ? "damaged" : exists ? "sound" : "absent")
  }

  private init(_ backend: PostgreSQLGroupBackend) async {
    do throws(GroupStoreError) {
      let (server, roundTrip) = try await backend.server()
      let microseconds = Int64(clamping: roundTrip.wholeNanoseconds / 1_000)
      let version = "\(server.version / 10_000).\(server.version % 10_000)"
      let place = "\(server.host):\(server.port)"
      text = "PostgreSQL \(version) on \(place), database \(server.database), round trip \(microseconds) µs"
      document = [
        "server": .string(place), "database": .string(server.database), "version": .string(version),
        "roundTripMicroseconds": .integer(microseconds), "state": "reachable",
      ]
      error = nil
    } catch {
      text = "cannot be reached (\(backend.options.target))"
      document = ["server": .string("\(backend.options.target)"), "state": "unreachable"]
      self.error = ExtensionError(.storeFailed, error.description, recovery: error.recovery)
    }
  }
}
