import DataConnectCompiler
import EventLoop
import Files

/// Deploys a project again when one of its files has changed and no change has followed for a moment.
enum ProjectWatch {
  /// After which a project is tried again whose database could not be reached.
  private static let retryPause = Duration.seconds(2)
  private static let mostFolders = 2_000
  private static let depth = 16

  /// Runs on the loop until the task is cancelled.
  ///
  /// - Parameter deploy: called once at the begin, and after each change. It returns whether to try again soon.
  /// - Returns: false when the kernel offers no more watches.
  static func run(_ folder: String, on loop: EventLoop, deploy: () async -> Bool) async -> Bool {
    let changed = Signal()
    guard let watch = PathWatch(on: loop, changed: { changed.send() }) else { return false }
    defer { watch.stop() }
    while !Task.isCancelled {
      let count = changed.count
      // Folders that came are watched before their files are read.
      watch.follow(folders(folder), for: .entries)
      let isTriedAgain = await deploy()
      guard await wait(changed, past: count, on: loop, atMost: isTriedAgain ? retryPause : nil) else { return true }
    }
    return true
  }

  /// Waits for a change and until nothing has followed for a moment.
  ///
  /// - Returns: false when the task was cancelled.
  private static func wait(_ changed: Signal, past count: UInt64, on loop: EventLoop, atMost limit: Duration?) async
    -> Bool
  {
    await withDiscardingTaskGroup { group in
      if let limit {
        group.addTask { if (try? await loop.sleep(for: limit)) != nil { changed.send() } }
      }
      defer { group.cancelAll() }
      guard (try? await changed.wait(past: count)) != nil else { return false }
      return (try? await changed.settle(on: loop)) != nil
    }
  }

  /// The folders of a project, and those of its schema and connectors that are elsewhere.
  private static func folders(_ folder: String) -> Set<String> {
    var found: Set<String> = []
    collect(folder, 0, &found)
    if let project = DataConnectProject.read(folder).project {
      let others = [project.configuration.schemaSource] + project.configuration.connectorDirectories
      for path in others { collect(Folder.path(path, in: folder), 0, &found) }
    }
    return found
  }

  private static func collect(_ folder: String, _ depth: Int, _ found: inout Set<String>) {
    guard depth < Self.depth, found.count < mostFolders, found.insert(folder).inserted else { return }
    for name in Folder.names(in: folder) where !name.hasPrefix(".") && name != "node_modules" {
      let path = "\(folder)/\(name)"
      if FileStatus(path)?.kind == .directory { collect(path, depth + 1, &found) }
    }
  }
}
