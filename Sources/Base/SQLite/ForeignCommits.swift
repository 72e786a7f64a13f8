package import EventLoop
internal import Glibc

/// Tells of writes by other processes: they touch a file beside the database after each commit, and what that may miss
/// a look once a second finds.
///
/// The database's own files are no sign: they change before a commit can be read.
package final class ForeignCommits: Sendable {
  private let loop: EventLoop
  private let inotify: Int32

  /// - Parameters:
  ///   - path: the file that is touched.
  ///   - interval: how often to look whatever is heard.
  ///   - action: called on a thread of its own.
  package init(path: String, every interval: Duration, _ action: @escaping @Sendable () -> Void) throws(EventLoopError)
  {
    loop = try EventLoop.started(name: "annex-watch", spin: .zero)
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    inotify = descriptor
    if descriptor >= 0 { _ = unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) }
    loop.execute { [loop] in
      if descriptor >= 0 {
        _ = try? loop.watch(descriptor, for: .reading) { _ in
          Self.drain(descriptor)
          action()
        }
      }
      Self.tick(on: loop, every: interval, action)
    }
  }

  deinit {
    let descriptor = inotify
    loop.execute { [loop] in
      loop.stop()
      if descriptor >= 0 { close(descriptor) }
    }
  }

  private static func tick(on loop: EventLoop, every interval: Duration, _ action: @escaping @Sendable () -> Void) {
    _ = loop.schedule(after: interval) { [weak loop] in
      guard let loop else { return }
      action()
      tick(on: loop, every: interval, action)
    }
  }

  private static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
