/// The connections of one server, and which of them gives way when there are too many. Pure.
///
/// A client that sends its request byte by byte, or none at all, keeps its place only as long as nobody else needs it: who
/// has been waited for longest goes first. So slow clients, however many, keep no others out.
struct ConnectionTable {
  private struct Entry {
    let descriptor: Int32
    /// When its client was last waited for, as a number that grows.
    var since: UInt64
    /// A handler has its request: it is the server that is waited for.
    var isHandled = false
    /// Its response goes on for long; it takes nobody's place.
    var isLasting = false
    /// It has been told to go.
    var isLeaving = false

    var givesWay: Bool { !isHandled && !isLasting && !isLeaving }
  }

  private let most: Int
  private var last: UInt64 = 0
  private var entries: [UInt64: Entry] = [:]

  /// - Parameter most: how many there may be before one has to go.
  init(most: Int) { self.most = most }

  var count: Int { entries.count }

  /// A client has connected.
  ///
  /// - Returns: what the connection is called here, and the descriptor of one that has to go; `nil` when there is room, or
  ///   when a handler has the request of each.
  mutating func opened(_ descriptor: Int32) -> (id: UInt64, leaving: Int32?) {
    last += 1
    let id = last
    entries[id] = Entry(descriptor: descriptor, since: last)
    guard entries.values.count(where: { !$0.isLeaving && !$0.isLasting }) > most else { return (id, nil) }
    let waiting = entries.filter { $0.key != id && $0.value.givesWay }
    guard let oldest = waiting.min(by: { $0.value.since < $1.value.since }) else { return (id, nil) }
    entries[oldest.key]?.isLeaving = true
    return (id, oldest.value.descriptor)
  }

  /// The request of a connection is with a handler.
  mutating func handling(_ id: UInt64) { entries[id]?.isHandled = true }

  /// The response of a connection is a stream or a socket.
  mutating func lasting(_ id: UInt64) { entries[id]?.isLasting = true }

  /// The client of a connection is waited for again: to take the response, or for its next request.
  mutating func waiting(_ id: UInt64) {
    last += 1
    entries[id]?.isHandled = false
    entries[id]?.isLasting = false
    entries[id]?.since = last
  }

  /// A connection has ended; its descriptor means nothing any more.
  mutating func closed(_ id: UInt64) { entries[id] = nil }
}
