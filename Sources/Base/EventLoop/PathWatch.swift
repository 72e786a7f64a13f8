import Glibc

/// Calls back when files and folders change (inotify(7)). Belongs to its loop's thread.
///
/// Nothing is read of what changed: several changes may come as one call, and the callee looks again.
package final class PathWatch {
  /// Which changes of a path count, in inotify's bits.
  package struct Events: OptionSet, Sendable {
    /// The bits of inotify's mask (`IN_…`).
    package let rawValue: UInt32
    /// Creates events from inotify's bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A file in the folder was put in place, or taken away, or closed after it was written.
    package static let entries = Events(
      rawValue: UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
        | UInt32(IN_CLOSE_WRITE))
    /// The path itself has other attributes, or is gone.
    package static let itself = Events(
      rawValue: UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
    /// The file was written to.
    package static let contents = Events(rawValue: UInt32(IN_MODIFY))
  }

  private let notifier: PathNotifier
  private let follower: PathNotifier.Follower
  /// The kernel's number of what each path leads to.
  private var paths: [String: Int32] = [:]

  /// - Parameter changed: called on the loop's thread, once for every burst of events.
  /// - Returns: `nil` when the kernel offers no more watches.
  package init?(on loop: EventLoop, changed: @escaping () -> Void) {
    guard let notifier = loop.pathNotifier() else { return nil }
    self.notifier = notifier
    follower = notifier.add(changed)
  }

  /// The descriptor of the kernel's watches, which all watches of a loop share.
  var descriptor: Int32 { notifier.descriptor }

  /// Watches these paths from now on, and no others. A path that does not exist is left out; call again when it may
  /// have come.
  ///
  /// - Returns: whether every path is watched.
  @discardableResult
  package func follow(_ wanted: Set<String>, for events: Events) -> Bool {
    let before = Set(paths.values)
    paths = [:]
    for path in wanted { paths[path] = notifier.mark(path, for: events, by: follower) }
    // A path may lead to another file than before, and two paths to one.
    for number in before.subtracting(paths.values) { notifier.unmark(number, by: follower) }
    return paths.count == wanted.count
  }

  /// Ends the watch; on the loop's thread, before the value goes.
  package func stop() {
    follow([], for: [])
    notifier.remove(follower)
  }
}
