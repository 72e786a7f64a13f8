import JSON
import CLinux
package import EventLoop
import Synchronization

/// One end of a JSON-RPC 2.0 connection over descriptors: calls of this side, requests of the peer, in both directions
/// at once.
///
/// The actor lives on an event loop: reading, dispatching and answering happen there and cost no hop. Calling may
/// happen on any thread; what callers and the loop share is behind one lock, so a call from outside the loop needs one
/// hop (its answer), not three.
///
/// Every request of the peer gets exactly one response. Every call of this side ends: by its answer, its deadline, its
/// cancellation, or the end of the connection. The descriptors stay open: their owner closes them after `run`.
package actor Connection {
  /// The loop that the actor runs on.
  package nonisolated let loop: EventLoop
  /// The limits of the connection.
  package nonisolated let configuration: Configuration
  /// What this side keeps for the peer.
  package nonisolated let ledger: PeerLedger
  nonisolated let output: Int32
  let input: Int32

  /// The executor of ``loop``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// What callers on any thread share with the loop.
  struct Shared {
    var calls: CallStateMachine<Waiter>
    /// What the deadlines of calls are counted by.
    var clock = HeldClock()
    let tap: FrameTap?
    let framing: Framing
    var outbox = Outbox()
    /// What the outbox holds.
    var account: LedgerAccount
    var closed: CloseReason?
    /// `run` has ended: the descriptors may be closed and used for something else.
    var isOver = false
    /// The loop writes at the end of this turn.
    var isMarked = false
    /// The descriptor was full: the loop waits until it takes more.
    var awaitsWritable = false
    /// When the timer of the calls fires; `.max` when there is none.
    var armedFor = UInt64.max
  }
  nonisolated let shared: Mutex<Shared>
  nonisolated let streams: Mutex<StreamTable>
  nonisolated let queue: RequestQueue

  // The loop's thread only.
  var decoder: FrameDecoder
  var handler: any MessageHandler = NoHandler()
  var acceptWaiter = SingleWaiter()
  var hasRun = false
  /// `closeReason` is set, as far as the loop has heard.
  var hasClosed = false

  var inputWatch: Watch?
  var outputWatch: Watch?
  var isPaused = false
  /// Bytes that have been read.
  package internal(set) var bytesReceived: UInt64 = 0
  /// The peer sent too many notifications and is not read for a moment.
  var isResting = false
  var meter: NotificationMeter?
  /// Notifications and refused requests since the meter was last asked.
  var notificationsCame = 0
  var anonymousErrors = AnonymousErrorLimit()
  /// What the decoder's buffer takes.
  var inputAccount: LedgerAccount
  /// The number of bytes waiting to be sent at which reading stops.
  var pauseMark = Connection.highWater
  var wasBlocking: [Int32] = []
  var timers = Timers()
  var drainWaiter = SingleWaiter()

  struct Timers {
    var calls: TimerToken?
    var stall: TimerToken?
    var partial: TimerToken?
    var pause: TimerToken?
    var streams: TimerToken?
    var rest: TimerToken?
    /// When the message at hand began.
    var partialSince: UInt64?
    /// When the peer last took something.
    var progress: UInt64 = 0
  }

  /// The limit of queued answers and notifications, in bytes. Above it reading stops; below half of it reading resumes.
  static let highWater = 1 << 20
  /// Results longer than this keep the buffer they came in instead of being copied.
  static let detachedFrom = 64 << 10

  /// - Parameters:
  ///   - input: bytes of the peer; may be the same socket as `output`. Both are made non-blocking; a descriptor that
  ///     was blocking is made so again when `run` ends.
  ///   - output: bytes for the peer.
  package init(on loop: EventLoop, input: Int32, output: Int32, configuration: Configuration = Configuration()) {
    self.loop = loop
    self.input = input
    self.output = output
    self.configuration = configuration
    let ledger = PeerLedger(ceiling: configuration.maximumHeldBytes)
    self.ledger = ledger
    shared = Mutex(
      Shared(
        calls: CallStateMachine(limit: configuration.maximumInFlight), tap: configuration.tap,
        framing: configuration.framing, account: LedgerAccount(ledger)))
    streams = Mutex(StreamTable(window: configuration.streamWindow, ledger: ledger))
    inputAccount = LedgerAccount(ledger)
    decoder = FrameDecoder(framing: configuration.framing, limit: configuration.maximumFrameBytes)
    meter = configuration.notifications.map { NotificationMeter($0) }
    queue = RequestQueue(on: loop, limit: configuration.maximumInFlight, ledger: ledger)
    for descriptor in Set([input, output]) where clinux_set_nonblocking(descriptor, 1) == 0 {
      wasBlocking.append(descriptor)
    }
    // Deferred to the loop: the code that reserved the memory may hold a lock of this connection.
    ledger.whenExceeded { [weak self, loop] excess in
      loop.execute { self?.shutDown(.ledgerExceeded(excess)) }
    }
  }

  /// Why the connection has ended; `nil` while it lives.
  package nonisolated var closeReason: CloseReason? { shared.withLock { $0.closed } }

  /// Bytes that have been sent.
  package nonisolated var bytesSent: UInt64 { shared.withLock { $0.outbox.total } }

  /// Bytes that wait to be sent.
  package nonisolated var outgoingBytes: Int { shared.withLock { $0.outbox.count } }
}

/// What a call ends with.
enum CallAnswer: Sendable {
  case copied([UInt8])
  case detached(DetachedBytes, Range<Int>)
  case failure(CallFailure)
}

/// A message that its handler accepted, with the work to run.
struct AcceptedMessage: Sendable {
  /// The id of the request; `nil` for a notification.
  let id: RequestID?
  /// Its place in the table of requests.
  let slot: Int
  let work: MessageWork
  /// What it takes until it is done, in bytes.
  let weight: Int
}
