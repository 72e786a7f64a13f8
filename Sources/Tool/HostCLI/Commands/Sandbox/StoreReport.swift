import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import GroupStore
import HostServices
import JSON

/// Whether the group store is sound, or its database can be reached, for `host doctor`.
struct StoreReport {
  /// One line.
  let text: String
  /// `{path, state: sound|damaged|newer|unreadable|absent, error?}`, or
  /// `{server, database, version, roundTripMicroseconds, state: reachable|unreachable, error?}`
  private(set) var document: JSONObject
  /// What is wrong, and what to do.
  let error: ExtensionError?

  init(_ place: StorePlace, _ state: StateDirectory) async {
    if let database = place.database {
      self = await StoreReport(database)
    } else {
      self = StoreReport(file: "\(state.path)/store/groups.sqlite")
    }
    if let error { document["error"] = .object(Failure(error).object) }
  }

  private init(file path: String) {
    let exists = FileStatus(path) != nil
    let state: String
    switch SuiteStore.fault(ofFile: path) {
    case .damaged(let damage)?:
      state = "damaged"
      text = state
      error = ExtensionError(
        .storeFailed, "The group store \(path) is damaged. \(damage)",
        recovery:
          "End all hosts, save what can be read (sqlite3 '\(path)' .recover), and move the file away: the next host "
          + "begins a new one.")
    case .newer(let message, let recovery)?:
      state = "newer"
      text = "made by a newer version"
      error = ExtensionError(.storeFailed, message, recovery: recovery)
    case .unreadable(let message, let recovery)?:
      state = "unreadable"
      text = "cannot be read"
      error = ExtensionError(.storeFailed, message, recovery: recovery)
    case nil:
      state = exists ? "sound" : "absent"
      text = exists ? "sound, \(path)" : "none yet"
      error = nil
    }
    document = ["path": .string(path), "state": .string(state)]
  }

  private init(_ database: any StoreDatabase) async {
    do throws(GroupStoreError) {
      let server = try await database.server()
      let microseconds = Int64(clamping: server.roundTrip.wholeNanoseconds / 1_000)
      text =
        "PostgreSQL \(server.version) on \(server.place), database \(server.database), "
        + "round trip \(microseconds) µs"
      document = [
        "server": .string(server.place), "database": .string(server.database), "version": .string(server.version),
        "roundTripMicroseconds": .integer(microseconds), "state": "reachable",
      ]
      error = nil
    } catch {
      text = "cannot be reached (\(database.address))"
      document = ["server": .string(database.address), "state": "unreachable"]
      self.error = ExtensionError(.storeFailed, error.description, recovery: error.recovery)
    }
  }
}
