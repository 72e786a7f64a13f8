import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSONRPC

/// Whether the group store is sound, for `host doctor`.
struct StoreReport {
  private let path: String
  /// What is wrong, and what to do.
  let error: ExtensionError?

  init(_ state: StateDirectory) {
    path = "\(state.path)/store/groups.sqlite"
    error = SuiteStore.damage(ofFile: path).map { [path] damage in
      ExtensionError(
        .storeFailed, "The group store \(path) is damaged. \(damage)",
        recovery:
          "End all hosts, save what can be read (sqlite3 '\(path)' .recover), and move the file away: the next host "
          + "begins a new one.")
    }
  }

  private var exists: Bool { FileStatus(path) != nil }

  /// One line.
  var text: String { error != nil ? "damaged" : exists ? "sound, \(path)" : "none yet" }

  /// `{path, state: sound|damaged|absent, error?}`
  var document: JSONObject {
    var object: JSONObject = ["path": .string(path)]
    object["state"] = .string(error != nil ? "damaged" : exists ? "sound" : "absent")
    if let error { object["error"] = .object(Failure(error).object) }
    return object
  }
}
