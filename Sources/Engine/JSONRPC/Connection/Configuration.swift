import JSON

extension Connection {
  /// The limits of one connection.
  package struct Configuration: Sendable {
    /// What happens to a message that is no JSON or no message.
    package enum Malformed: Sendable {
      /// Answer with a parse error or an invalid request, and report.
      case reply
      /// The same for what begins as a message. Other bytes are only reported: a program may print on its channel.
      case replyToMessages
    }

    /// How messages are separated.
    package var framing: Framing
    /// Of one message in either direction.
    package var maximumFrameBytes: Int
    /// Nesting of arrays and objects.
    package var maximumDepth: Int
    /// What may wait to be sent; beyond it calls and notifications fail with -32005.
    package var maximumOutgoingBytes: Int
    /// Requests that wait for an answer, per direction; beyond it -32005.
    package var maximumInFlight: Int
    /// What this side may keep in memory for the peer, all in all: the ceiling of its ``PeerLedger``.
    package var maximumHeldBytes: Int
    /// How long the peer may read nothing while something waits for it.
    package var writeStall: Duration
    /// How long a message may take from its first byte to its last.
    package var partialMessage: Duration
    /// How long a cancelled call waits for the peer's answer.
    package var cancellationGrace: Duration
    /// Bytes of a stream that may wait for its reader.
    package var streamWindow: Int
    /// How long a stream waits for the other side: for credit, or for the next data.
    package var streamStall: Duration
    /// Of the peer; `nil` takes any number.
    package var notifications: NotificationLimit?
    /// Sees every frame in either direction, in the order of each. Must not block.
    package var tap: FrameTap?
    /// What happens after a message that cannot be read.
    package var malformed: Malformed

    /// Creates limits. The arguments are described at the properties.
    package init(
      framing: Framing = .lines, maximumFrameBytes: Int = 4 << 20,
      maximumDepth: Int = JSONReader.defaultMaximumDepth, maximumOutgoingBytes: Int = 8 << 20,
      maximumInFlight: Int = 64, maximumHeldBytes: Int = .max, writeStall: Duration = .seconds(5),
      partialMessage: Duration = .seconds(10), cancellationGrace: Duration = .seconds(2), streamWindow: Int = 256 << 10,
      streamStall: Duration = .seconds(30),
      notifications: NotificationLimit? = nil, malformed: Malformed = .reply
    ) {
      self.framing = framing
      self.maximumFrameBytes = maximumFrameBytes
      self.maximumDepth = maximumDepth
      self.maximumOutgoingBytes = maximumOutgoingBytes
      self.maximumInFlight = maximumInFlight
      self.maximumHeldBytes = maximumHeldBytes
      self.writeStall = writeStall
      self.partialMessage = partialMessage
      self.cancellationGrace = cancellationGrace
      self.streamWindow = streamWindow
      self.streamStall = streamStall
      self.notifications = notifications
      self.malformed = malformed
    }
  }
}
