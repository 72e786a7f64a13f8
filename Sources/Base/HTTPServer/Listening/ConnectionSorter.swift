internal import CLinux
internal import EventLoop
internal import Glibc

/// Takes connections of a port and looks at their first bytes: those of another protocol go to it, all others to
/// libmicrohttpd. Belongs to the loop's thread.
///
/// A client that sends nothing keeps its place only as long as nobody else needs it, as in `ConnectionTable`.
final class ConnectionSorter {
  private struct Waiting {
    let watch: Watch
    let timer: TimerToken
  }

  private static let pause = Duration.milliseconds(100)
  private let listener: Int32
  private let firstBytes: [UInt8]
  private let most: Int
  private let limit: Duration
  private let loop: EventLoop
  private let take: (_ descriptor: Int32, _ isOther: Bool) -> Void
  private var watch: Watch?
  private var waiting: [Int32: Waiting] = [:]
  /// The descriptors that wait, the oldest first.
  private var order: [Int32] = []

  /// - Parameters:
  ///   - listener: closed by `close`.
  ///   - most: connections whose first bytes are waited for.
  ///   - limit: how long they are waited for.
  ///   - take: takes a connection over, on the loop's thread.
  init(
    _ listener: Int32, firstBytes: [UInt8], most: Int, limit: Duration, on loop: EventLoop,
    take: @escaping (_ descriptor: Int32, _ isOther: Bool) -> Void
  ) {
    self.listener = listener
    self.firstBytes = firstBytes
    self.most = most
    self.limit = limit
    self.loop = loop
    self.take = take
  }

  func begin() {
    _ = clinux_set_nonblocking(listener, 1)
    watch = try? loop.watch(listener, for: .reading) { [unowned self] _ in self.accept() }
  }

  /// Takes no more connections, and ends those that have not begun.
  func close() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    _ = Glibc.close(listener)
    for descriptor in waiting.keys { drop(descriptor) }
  }

  private func accept() {
    // Others have their turn after some.
    for _ in 0..<64 {
      let descriptor = clinux_accept(listener)
      if descriptor >= 0 {
        sort(descriptor)
      } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(-descriptor) {
        return rest()
      } else if ![EINTR, ECONNABORTED, EPROTO].contains(-descriptor) {
        return
      }
    }
  }

  /// Without a free descriptor the port stays ready: it is asked again in a while.
  private func rest() {
    guard let watch, (try? loop.update(watch, to: [])) != nil else { return }
    _ = loop.schedule(after: Self.pause) { [weak self] in
      guard let self, let watch = self.watch else { return }
      try? self.loop.update(watch, to: .reading)
    }
  }

  private func sort(_ descriptor: Int32) {
    if decide(descriptor) { return }
    if waiting.count >= most, let oldest = order.first { drop(oldest) }
    // Readiness begins with so many bytes, so that a client that sends fewer does not keep the loop busy.
    setLowWater(descriptor, Int32(firstBytes.count))
    guard
      let watch = try? loop.watch(
        descriptor, for: .reading,
        { [unowned self] _ in
          if decide(descriptor) { return }
          drop(descriptor)
        })
    else { return drop(descriptor) }
    let timer = loop.schedule(after: limit) { [unowned self] in drop(descriptor) }
    waiting[descriptor] = Waiting(watch: watch, timer: timer)
    order.append(descriptor)
  }

  /// - Returns: false when more bytes are needed to tell.
  private func decide(_ descriptor: Int32) -> Bool {
    let isOther = unsafe withUnsafeTemporaryAllocation(byteCount: PriorKnowledge.most, alignment: 1) {
      buffer -> Bool? in
      let count = unsafe recv(descriptor, buffer.baseAddress, firstBytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      guard count > 0 else { return nil }
      if unsafe !buffer[..<count].elementsEqual(firstBytes.prefix(count)) { return false }
      return count == firstBytes.count ? true : nil
    }
    guard let isOther else { return false }
    forget(descriptor)
    setLowWater(descriptor, 1)
    take(descriptor, isOther)
    return true
  }

  private func setLowWater(_ descriptor: Int32, _ count: Int32) {
    var count = count
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
  }

  private func forget(_ descriptor: Int32) {
    guard let entry = waiting.removeValue(forKey: descriptor) else { return }
    // The number may be another connection's soon.
    if let place = order.firstIndex(of: descriptor) { order.remove(at: place) }
    loop.unwatch(entry.watch)
    loop.cancel(entry.timer)
  }

  private func drop(_ descriptor: Int32) {
    forget(descriptor)
    _ = Glibc.close(descriptor)
  }
}

/// A sorter on its way through the loop's mail. `@unchecked Sendable`, because: only the loop's thread touches it.
final class ConnectionSorterHolder: @unchecked Sendable {
  let sorter: ConnectionSorter
  init(_ sorter: sending ConnectionSorter) { self.sorter = sorter }
}
