import CLinux
public import ExtensionProtocol
import Glibc

/// Where a host keeps its state. Folders are made when they are first used, readable by their owner alone.
public struct StateDirectory: Sendable {
  /// The absolute path of the folder.
  public let path: String
  /// Where sockets live: `XDG_RUNTIME_DIR/annex`, or `run` below ``path``.
  public let runtimePath: String

  /// - Parameters:
  ///   - path: an absolute path; it need not exist.
  ///   - runtimePath: where sockets live; `run` below `path` when absent.
  public init(path: String, runtimePath: String? = nil) {
    self.path = path
    self.runtimePath = runtimePath ?? "\(path)/run"
  }

  /// The folder that the environment names: `ANNEX_HOME` moves all of it; else `XDG_DATA_HOME/annex`, else
  /// `HOME/.local/share/annex` (XDG Base Directory Specification).
  public init(environment: [String: String], home: String? = nil) throws(ExtensionError) {
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let home = home ?? environment["ANNEX_HOME"], !home.isEmpty {
      self.init(path: home.hasPrefix("/") ? home : "\(Self.workingDirectory)/\(home)")
    } else if let base = variable("XDG_DATA_HOME") ?? variable("HOME").map({ "\($0)/.local/share" }) {
      self.init(path: "\(base)/annex", runtimePath: variable("XDG_RUNTIME_DIR").map { "\($0)/annex" })
    } else {
      throw ExtensionError(
        .storeFailed, "There is no folder to keep state in: HOME is not set.", recovery: "Pass --home DIR.")
    }
  }

  private static var workingDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// A folder below the root, made when it is not there.
  ///
  /// - Parameters:
  ///   - name: relative, for example `containers/com.example.clock`.
  ///   - owner: the user and group that the last component is given to.
  /// - Returns: the absolute path.
  package func folder(_ name: String, owner: ExtensionUser? = nil) throws(ExtensionError) -> String {
    let full = "\(path)/\(name)"
    try Self.makeFolder(full)
    if let owner, chown(full, owner.uid, owner.gid) != 0 { throw Self.failure("give away", full) }
    return full
  }

  /// The folder for sockets, made when it is not there.
  package func runtimeFolder() throws(ExtensionError) -> String {
    try Self.makeFolder(runtimePath)
    return runtimePath
  }

  /// A new folder for one process, gone with ``remove(_:)``. Folders of hosts that no longer run are swept first.
  package func scratchFolder(owner: ExtensionUser?) throws(ExtensionError) -> String {
    let parent = try folder("scratch")
    ScratchSweep.sweep(parent)
    var template = Array("\(parent)/\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure("create a folder in", parent) }
    let made = template.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    if let owner, chown(made, owner.uid, owner.gid) != 0 { throw Self.failure("give away", made) }
    return made
  }

  /// Removes a folder and all below it, whatever an extension left there.
  package static func remove(_ path: String) throws(ExtensionError) {
    if clinux_remove_tree(path) != 0 { throw failure("remove", path) }
  }

  private static func makeFolder(_ path: String) throws(ExtensionError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return try check(path) }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw failure("create", path)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create", path) }
  }

  private static func check(_ path: String) throws(ExtensionError) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
      throw ExtensionError(.storeFailed, "\(path) is not a folder.", recovery: "Move the file away, or pass --home DIR.")
    }
  }

  private static func failure(_ verb: String, _ path: String) -> ExtensionError {
    ExtensionError(.storeFailed, "Cannot \(verb) \(path): \(ErrnoText.of(errno)).")
  }
}
