import CLinux

/// A descriptor that the kernel refuses to wait for, other than a file that is always ready.
package struct WatchError: Error, Equatable {
  /// `EBADF`, `ENOMEM`, `ENOSPC`, `EEXIST` (the descriptor is watched already).
  package let errno: Int32
}

extension EventLoop {
  /// Calls `action` on the loop's thread whenever `descriptor` is ready for something of `interest`, until `unwatch`.
  ///
  /// Readiness is by level: an action that leaves bytes is called again. A pidfd is ready for reading when its process
  /// has exited. Files that epoll refuses (EPERM: regular files, /dev/null) are ready in every turn.
  package func watch(
    _ descriptor: Int32, for interest: Interest, _ action: @escaping (Interest) -> Void
  ) throws(WatchError) -> Watch {
    requireLoop()
    let watch = Watch(descriptor, interest, action)
    watches.insert(watch)
    do {
      try apply(watch)
    } catch {
      watches.remove(watch)
      throw error
    }
    return watch
  }

  /// Waits for something else from now on; an empty interest pauses.
  package func update(_ watch: Watch, to interest: Interest) throws(WatchError) {
    requireLoop()
    guard interest != watch.interest, watch.action != nil else { return }
    watch.interest = interest
    try apply(watch)
  }

  /// Stops waiting. The descriptor stays open; call this before closing it.
  package func unwatch(_ watch: Watch) {
    requireLoop()
    watches.remove(watch)
    watch.action = nil
    watch.isAlwaysReady = false
    if watch.isInEpoll {
      watch.isInEpoll = false
      _ = clinux_epoll_remove(poller.epoll, watch.descriptor)
    }
  }

  private func apply(_ watch: Watch) throws(WatchError) {
    if watch.isAlwaysReady {
      watches.setAlwaysReady(watch)
      return
    }
    let events = watch.interest.rawValue
    var result: Int32 = 0
    if events == 0 {
      // With no interest epoll would still report a hang-up, for ever.
      if watch.isInEpoll { _ = clinux_epoll_remove(poller.epoll, watch.descriptor) }
      watch.isInEpoll = false
    } else if watch.isInEpoll {
      result = clinux_epoll_modify(poller.epoll, watch.descriptor, events, watch.token)
    } else {
      result = clinux_epoll_add(poller.epoll, watch.descriptor, events, watch.token)
      watch.isInEpoll = result == 0
    }
    if result == -CLINUX_EPERM {
      watch.isAlwaysReady = true
      watches.setAlwaysReady(watch)
    } else if result < 0 {
      throw WatchError(errno: -result)
    }
  }
}
