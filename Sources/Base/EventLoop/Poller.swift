import CLinux

/// The epoll instance of a loop, with the counter that wakes it.
@safe struct Poller {
  static let capacity: Int32 = 64
  static let wakeToken = UInt64.max

  let epoll: Int32
  let counter: Int32
  let ready: UnsafeMutablePointer<clinux_event>

  /// - Throws: `EventLoopError` when the process or the machine has no descriptor left.
  init() throws(EventLoopError) {
    epoll = clinux_epoll_create()
    guard epoll >= 0 else { throw EventLoopError("epoll_create1", errno: -epoll) }
    counter = clinux_eventfd_create()
    guard counter >= 0 else {
      clinux_close(epoll)
      throw EventLoopError("eventfd", errno: -counter)
    }
    let added = clinux_epoll_add(epoll, counter, CLINUX_READABLE, Self.wakeToken)
    guard added == 0 else {
      clinux_close(counter)
      clinux_close(epoll)
      throw EventLoopError("epoll_ctl", errno: -added)
    }
    unsafe ready = .allocate(capacity: Int(Self.capacity))
    unsafe ready.initialize(repeating: clinux_event(), count: Int(Self.capacity))
  }

  func close() {
    clinux_close(counter)
    clinux_close(epoll)
    unsafe ready.deallocate()
  }

  /// The number of entries in `ready`; 0 after the time or an interruption.
  func wait(milliseconds: Int32) -> Int32 {
    let count = unsafe clinux_epoll_wait(epoll, ready, Self.capacity, milliseconds)
    precondition(count >= 0, "epoll_wait failed: errno \(-count)")
    return count
  }

  func wake() { clinux_eventfd_signal(counter) }
  func drainWake() { clinux_eventfd_drain(counter) }
}
