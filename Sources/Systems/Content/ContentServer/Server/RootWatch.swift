internal import ContentRepository
internal import EventLoop

/// Reads the content again when a file of its folder has changed, after a moment without further changes.
enum RootWatch {
  /// Runs on the loop until the task is cancelled.
  ///
  /// - Parameters:
  ///   - begun: is sent as soon as no change is missed any more, or none is seen at all.
  ///   - watching: makes the watch; `nil` when the kernel offers none.
  static func run(
    _ server: ContentServer, on loop: EventLoop, begun: Signal,
    watching: (EventLoop, @escaping () -> Void) -> PathWatch? = { PathWatch(on: $0, changed: $1) }
  ) async {
    defer { begun.send() }
    let changed = Signal()
    guard let watch = watching(loop, { changed.send() }) else {
      return server.configuration.reloaded([
        ContentProblem(
          file: "", message: "The kernel offers no more file watches: changes of the content are not seen.",
          recovery: "Raise fs.inotify.max_user_instances, or end other programs that watch files, and start again.")
      ])
    }
    defer { watch.stop() }
    var isFirst = true
    while !Task.isCancelled {
      let count = changed.count
      read(server, watch, isFirst: isFirst)
      if isFirst { begun.send() }
      isFirst = false
      guard (try? await changed.wait(past: count)) != nil, (try? await changed.settle(on: loop)) != nil else { return }
    }
  }

  /// Folders that came are watched, and then looked into once more: their files may have come in between.
  private static func read(_ server: ContentServer, _ watch: PathWatch, isFirst: Bool) {
    for _ in 0..<8 {
      let folders = server.repository.folders
      watch.follow(folders, for: .entries)
      server.reload(isFirst: isFirst)
      if server.repository.folders == folders { break }
    }
  }
}
