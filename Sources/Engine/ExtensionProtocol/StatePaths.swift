/// Where state and sockets lie, as the environment says (XDG Base Directory Specification). Hosts and containing apps
/// agree on it, so that one finds the other.
public struct StatePaths: Sendable, Equatable {
  /// The folder of everything that is kept; `ANNEX_HOME` moves it.
  public let home: String
  /// The folder of sockets: `run` below a home that was moved, else `XDG_RUNTIME_DIR/annex`.
  public let runtime: String

  /// Everything below one folder.
  public init(home: String) {
    self.init(home: home, runtime: "\(home)/run")
  }

  private init(home: String, runtime: String) {
    self.home = home
    self.runtime = runtime
  }

  /// - Parameters:
  ///   - environment: the environment variables; `ANNEX_HOME`, `XDG_DATA_HOME`, `XDG_RUNTIME_DIR` and `HOME` are read.
  ///   - home: a folder to use instead of `ANNEX_HOME`.
  ///   - workingDirectory: what these two are relative to, unless they are absolute paths.
  /// - Returns: `nil` when nothing names a folder. The variables but `ANNEX_HOME` count with absolute paths only, as their
  ///   specification says.
  public init?(environment: [String: String], home: String? = nil, workingDirectory: String = "/") {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let moved = home ?? environment["ANNEX_HOME"], !moved.isEmpty {
      self.init(home: moved.hasPrefix("/") ? moved : "\(workingDirectory)/\(moved)")
    } else if let base = variable("XDG_DATA_HOME") ?? variable("HOME").map({ "\($0)/.local/share" }) {
      let runtime = variable("XDG_RUNTIME_DIR").map { "\($0)/annex" } ?? "\(base)/annex/run"
      self.init(home: "\(base)/annex", runtime: runtime)
    } else {
      return nil
    }
  }

  /// Returns the path of the socket at which a running app accepts URLs.
  public func socket(ofApp identifier: String) -> String { "\(runtime)/\(identifier).sock" }

  /// The path of the socket at which a page takes questions of other hosts. No identifier of an app has an `@`.
  package var questionSocket: String { "\(runtime)/questions@page.sock" }
}
