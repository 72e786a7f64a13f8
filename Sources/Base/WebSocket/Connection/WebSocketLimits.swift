/// What one connection may cost, in bytes and in time.
package struct WebSocketLimits: Sendable, Hashable {
  /// The most bytes of a frame's payload.
  package var frameBytes = 1 << 20
  /// The most bytes of a message, its fragments put together.
  package var messageBytes = 1 << 20
  /// The most frames of a message.
  package var fragments = 1024
  /// Bytes that wait to be sent before `send` waits. One message goes in alone, however large it is.
  package var queuedBytes = 256 << 10
  /// Bytes of messages that wait for their receiver before the peer has to wait.
  package var receivedBytes = 256 << 10
  /// After so long a silence of the peer a ping asks whether it is there.
  package var pingInterval: Duration = .seconds(20)
  /// How long the peer may take to answer a ping.
  package var pongLimit: Duration = .seconds(20)
  /// How long a peer may take nothing of what is to be sent, before it is dropped.
  package var stallLimit: Duration = .seconds(30)
  /// After so long without a message in either direction the connection is closed; `nil` keeps it.
  package var idleLimit: Duration?
  /// How long the peer may take to answer a close.
  package var closeLimit: Duration = .seconds(5)

  package init() {}
}
