internal import CMicroHTTPD
internal import EventLoop
import Files
internal import Glibc
internal import Synchronization

/// One running libmicrohttpd with its thread.
///
/// `@unchecked Sendable`: `handle` is set before anybody else sees the object and cleared by the thread that stops the
/// server, after `finish`; libmicrohttpd allows its calls from any thread. The rest is constant, locked or atomic.
@safe
final class Daemon: @unchecked Sendable {
  let address: ServerAddress
  let exchanges = ExchangeQueue()
  let configuration: HTTPServer.Configuration
  let hostNames: Set<String>
  /// Exchanges that are with a handler, or answered and not yet sent.
  let open = Atomic<Int>(0)
  let connections: Mutex<ConnectionTable>
  let bodies: ByteBudget
  let lasting: LastingTable
  private let sockets: Mutex<LoopThread?>
  /// What takes connections where libmicrohttpd does not; nil once the server finishes.
  let sorter = Mutex<ConnectionSorterHolder?>(nil)
  private(set) var handle: OpaquePointer?
  /// The file of the Unix socket, as it was made; `nil` for a port.
  private let socketFile: FileIdentity?

  init(configuration: HTTPServer.Configuration) throws(HTTPServerError) {
    self.configuration = configuration
    sockets = Mutex(configuration.loop)
    // Some more for those that are told to go, until they have gone.
    let most = max(1, configuration.mostConnections)
    connections = Mutex(ConnectionTable(most: most))
    bodies = ByteBudget(configuration.maximumBodyBytesInAll)
    lasting = LastingTable(most: configuration.mostLasting)
    let certificate = try configuration.certificate.map { file throws(HTTPServerError) in try file.read() }
    let socket =
      if let path = configuration.socketPath {
        try ListeningSocket(path: path)
      } else {
        try ListeningSocket(host: configuration.host, port: configuration.port)
      }
    address = ServerAddress(
      host: socket.address.host, port: socket.address.port, isSecure: configuration.certificate != nil,
      socketPath: socket.address.socketPath)
    socketFile = socket.address.socketPath.flatMap { FileIdentity(path: $0) }
    hostNames = Set(
      (["localhost", "127.0.0.1", "[::1]", configuration.host, "[\(configuration.host)]"]
        + configuration.additionalHostNames).map { $0.lowercased() })
    let descriptor = socket.descriptor
    // The server is stopped before this object ends (`HTTPServer.withRunning`), so its context needs no retain.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let sorts = configuration.priorKnowledge != nil && !address.isSecure
    unsafe handle = cmhd_start(
      sorts ? -1 : descriptor, context, Self.targetRead, Self.requestRead, Self.requestCompleted,
      Self.connectionChanged,
      UInt32(clamping: configuration.idleSeconds),
      UInt32(clamping: most + 1 + most / 8 + max(0, configuration.mostLasting)), certificate?.certificate,
      certificate?.key)
    guard unsafe handle != nil else {
      let code = errno
      close(descriptor)
      removeSocketFile()
      throw HTTPServerError(
        .system, "The server at \(address) does not start: \(SystemError(code)).")
    }
    guard let other = configuration.priorKnowledge, sorts else { return }
    guard beginSorting(descriptor, other) else {
      close(descriptor)
      removeSocketFile()
      if let handle = unsafe handle { unsafe MHD_stop_daemon(handle) }
      throw HTTPServerError(.system, "The server at \(address) does not start: there is no thread for it.")
    }
  }

  /// Removes the file of the Unix socket, unless another program has put its own there.
  private func removeSocketFile() {
    guard let path = address.socketPath, let made = socketFile, FileIdentity(path: path) == made else { return }
    _ = unsafe unlink(path)
  }

  /// Takes no more connections, and no more requests on those that are open.
  func finish() {
    removeSocketFile()
    endSorting()
    if let handle = unsafe handle {
      let descriptor = unsafe MHD_quiesce_daemon(handle)
      if descriptor >= 0 { close(descriptor) }
    }
    exchanges.finish()
    lasting.stop()
  }

  /// The thread of all sockets: the server's, or one that the first of them starts; `nil` when the system gives none.
  func socketLoop() -> LoopThread? {
    sockets.withLock { loop in
      if loop == nil { loop = try? LoopThread(name: "web-sockets", spin: .zero) }
      return loop
    }
  }

  /// Waits until every response is sent, at most for the grace, then closes all connections. After `finish`, when all
  /// handlers are done. Waiting blocks, and so has a thread of its own.
  func stop() async {
    await SystemThread.run(name: "http-stop") { self.waitAndStop() }
  }

  private func waitAndStop() {
    let deadline = ContinuousClock.now + configuration.grace
    while open.load(ordering: .acquiring) > 0, ContinuousClock.now < deadline { usleep(1_000) }
    if let handle = unsafe handle { unsafe MHD_stop_daemon(handle) }
    unsafe handle = nil
    sockets.withLock { $0 = nil }
  }
}
