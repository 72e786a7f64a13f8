import CLinux

/// The epoll instance of a loop, with the counter that wakes it.
@safe struct Poller {
  static let capacity: Int32 = 64
  static let wakeToken = UInt64.max

  let epoll: Int32
  let counter: Int32
  let ready: UnsafeMutablePointer<clinux_event>

  init() {
    epoll = clinux_epoll_create()
    precondition(epoll >= 0, "no epoll instance: errno \(-epoll)")
    counter = clinux_eventfd_create()
    precondition(counter >= 0, "no eventfd: errno \(-counter)")
    unsafe ready = .allocate(capacity: Int(Self.capacity))
    unsafe ready.initialize(repeating: clinux_event(), count: Int(Self.capacity))
    let added = clinux_epoll_add(epoll, counter, CLINUX_READABLE, Self.wakeToken)
    precondition(added == 0, "an eventfd cannot be waited for: errno \(-added)")
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
