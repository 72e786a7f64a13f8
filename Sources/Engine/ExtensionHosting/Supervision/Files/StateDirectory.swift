import CLinux
public import ExtensionProtocol
import Files
import Glibc
import JSON
import Sandbox
import Text

/// Where a host keeps its state. Folders are made when they are first used, readable by their owner alone. Under a root
/// host, whose extensions have users of their own, those above an extension's folders can be passed through.
public struct StateDirectory: Sendable {
  /// The folder of everything that is kept, and the one of sockets.
  public let paths: StatePaths
  /// The absolute path of the folder.
  public var path: String { paths.home }

  /// Creates a state directory at these paths. Nothing is created on the disk before it is used.
  public init(paths: StatePaths) { self.paths = paths }

  /// A folder with everything below it, sockets included. It need not exist.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  public init(path: String) {
    paths = StatePaths(home: Folder.path(path))
  }

  /// The folder that the environment names.
  ///
  /// - Parameters:
  ///   - environment: the environment variables; `ANNEX_HOME`, `XDG_DATA_HOME`, `XDG_RUNTIME_DIR` and `HOME` are read.
  ///   - home: a folder to use instead, absolute or relative to the working directory.
  /// - Throws: `storeFailed` when no variable names a folder.
  public init(environment: [String: String], home: String? = nil) throws(ExtensionError) {
    let named = home.flatMap { $0.isEmpty ? nil : $0 }
    guard
      let paths = StatePaths(environment: environment, home: named, workingDirectory: Folder.workingDirectory)
    else {
      throw ExtensionError(
        .storeFailed, "There is no folder to keep state in: HOME is not set.",
        recovery: "Name a folder for the state directory.", details: ["stateDirectory": .null])
    }
    self.init(paths: paths)
  }

  /// A folder below the root, made when it is not there: for what a service keeps.
  ///
  /// - Parameter name: relative, for example `photos/edits`.
  /// - Returns: the absolute path.
  /// - Throws: `storeFailed` when there is something else, or no space.
  public func folder(_ name: String) throws(ExtensionError) -> String { try folder(name, owner: nil) }

  /// A folder below the root, made when it is not there.
  ///
  /// - Parameters:
  ///   - name: relative, for example `containers/com.example.clock`.
  ///   - owner: the user and group that the last component is given to, with what its owner of before has in it: that
  ///     takes long where there is much, once.
  /// - Returns: the absolute path.
  package func folder(_ name: String, owner: ExtensionUser?) throws(ExtensionError) -> String {
    let full = "\(path)/\(name)"
    do throws(FileError) {
      try Folder.make(full)
    } catch {
      guard error.kind == .notRegular else { throw ExtensionError(error) }
      throw ExtensionError(
        .storeFailed, error.message, recovery: "Move the file away, or use another state directory.",
        details: ["stateDirectory": .string(path)])
    }
    if owner != nil { openWay(to: name) }
    try Self.give(full, to: owner)
    return full
  }

  /// Lets other users pass through the folders above one that is given away. They can neither list nor change them, and
  /// what else is in them keeps its own mode. Where extensions have no root of their own, which a root host cannot make
  /// in a usual container, they find their folders by these names.
  package func openWay(to name: String) {
    let names = name.pathParts().dropLast().map(String.init)
    for count in 0...names.count {
      let folder = ([path] + names.prefix(count)).joined(separator: "/")
      var info = stat()
      guard stat(folder, &info) == 0, info.st_uid == geteuid(), info.st_mode & 0o011 != 0o011 else { continue }
      _ = chmod(folder, info.st_mode & 0o7777 | 0o011)
    }
  }

  /// A new folder for one process, gone with ``remove(_:)``. Folders of hosts that no longer run are swept first.
  package func scratchFolder(owner: ExtensionUser?) throws(ExtensionError) -> String {
    let parent = try folder("scratch")
    ScratchSweep.sweep(parent)
    let made: String
    do throws(FileError) {
      made = try Folder.makeTemporary(beginning: ScratchSweep.beginning(in: parent))
    } catch {
      throw ExtensionError(error)
    }
    if owner != nil { openWay(to: "scratch/of-an-extension") }
    try Self.give(made, to: owner)
    return made
  }

  /// Removes a folder and all below it, whatever an extension left there.
  package static func remove(_ path: String) throws(ExtensionError) {
    do throws(FileError) {
      try Folder.remove(path)
    } catch {
      throw ExtensionError(error)
    }
  }

  private static func give(_ path: String, to owner: ExtensionUser?) throws(ExtensionError) {
    guard let owner, FileStatus(path)?.owner != owner.uid else { return }
    // An app must neither keep an identifier that another app may receive later, nor lose its files.
    if clinux_give_tree(path, owner.uid, owner.gid) != 0 { throw ExtensionError(.cannot("give away", path)) }
  }
}

/// The scratch folders of processes are called `<pid of the host>-<its start time>-<letters>`: those of hosts that were
/// killed can be told from those of hosts that run.
enum ScratchSweep {
  /// What the path of a folder of this host begins with.
  static func beginning(in parent: String) -> String { "\(parent)/\(ProcessIdentity.current.text)-" }

  /// Removes the folders of hosts that run no more, and nothing else.
  static func sweep(_ parent: String) {
    // One look at each host, however many folders it has.
    var living: Set<ProcessIdentity> = [.current]
    for name in Folder.names(in: parent) {
      guard let end = name.lastIndex(of: "-"), let host = ProcessIdentity(name[..<end]), !living.contains(host) else {
        continue
      }
      if host.isAlive { living.insert(host) } else { try? Folder.remove("\(parent)/\(name)") }
    }
  }
}
