import EventLoop
import ExtensionHosting

/// Says to the pages that the state directory has changed: by this host, by others, and by the command line. Lives on the
/// host's loop.
actor FolderFeed {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let state: StateDirectory
  private let feed: PageFeed
  /// The folder in the state directory, and what of the pages is about it.
  private static let topics = [
    ("", ["decisions", "extensions"]), ("health", ["extensions"]), ("statistics", ["extensions"]),
    ("snapshots", ["today"]),
  ]

  init(host: ExtensionHost, feed: PageFeed) {
    loop = host.loop
    state = host.configuration.state
    self.feed = feed
  }

  /// Watches until the task is cancelled. Where the kernel has no more watches, pages show changes when they are opened.
  func run() async {
    var watches: [PathWatch] = []
    for (folder, topics) in Self.topics {
      let path = folder.isEmpty ? state.path : (try? state.folder(folder)) ?? "\(state.path)/\(folder)"
      let watch = PathWatch(on: loop) { [feed] in
        for topic in topics { feed.touch(topic) }
      }
      watch?.follow([path], for: .entries)
      if let watch { watches.append(watch) }
    }
    await untilCancelled()
    for watch in watches { watch.stop() }
  }
}
