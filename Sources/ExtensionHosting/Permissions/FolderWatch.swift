import EventLoop
import Glibc

/// Tells when a file of a folder was replaced or removed (inotify). Belongs to the loop that it was made on.
final class FolderWatch {
  private let descriptor: Int32
  private let loop: EventLoop
  private var watch: Watch?

  /// - Returns: `nil` when the kernel has no more watches; changes are then noticed when somebody looks.
  init?(_ path: String, on loop: EventLoop, _ changed: @escaping () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_CLOSE_WRITE)
    guard inotify_add_watch(descriptor, path, events) >= 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.loop = loop
    watch = try? loop.watch(descriptor, for: .reading) { _ in
      var events = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &events, events.count) > 0 {}
      changed()
    }
    if watch == nil {
      close(descriptor)
      return nil
    }
  }

  /// Stops watching; called once.
  func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    close(descriptor)
  }
}
