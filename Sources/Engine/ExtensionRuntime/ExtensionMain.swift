import CLinux
import EventLoop
import Glibc
import JSONRPC

/// The entry point of every extension: one event loop on the main thread, which also runs the main actor.
package enum ExtensionMain {
  /// Runs an extension until its host closes the channel.
  ///
  /// - Parameters:
  ///   - starts: the features that take part in the start of the process's only session.
  ///   - handlers: creates the extension, which may use the main actor from its first line.
  package static func run<Extension: AppExtension>(
    _ type: Extension.Type, starts: [any SessionStart.Type], handlers: () -> [SessionHandler]
  ) {
    let channel = PrivateChannel.take()
    let loop: EventLoop
    do throws(EventLoopError) {
      loop = try EventLoop(opening: EventLoop.defaultSpin)
    } catch {
      let line = "\(error)\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      exit(71)
    }
    loop.serveMainActor()
    let handlers = handlers()
    check(type, handlers)
    loop.run {
      let connection = Connection(
        on: loop, input: channel.input, output: channel.output,
        configuration: Connection.Configuration(framing: framing))
      let session = ExtensionSession(connection: connection, handlers: handlers, points: type.points)
      for start in starts { start.begin(session) }
      await session.run()
    }
  }

  /// Ends a program that does not serve what its extension point has.
  package static func check<Extension: AppExtension>(_ type: Extension.Type, _ handlers: [SessionHandler]) {
    guard let fault = HandlerCheck.fault(in: handlers, of: type.points) else { return }
    var line = "error: \(Extension.self) does not fit its extension point. \(fault)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(70)
  }

  /// What the manifest names, handed over by the host in the environment.
  private static var framing: Framing {
    getenv("ANNEX_FRAMING").flatMap { Framing(rawValue: String(cString: $0)) } ?? .lines
  }
}

/// The descriptors of the channel, moved out of the way of the program's own standard streams.
struct PrivateChannel {
  let input: Int32
  let output: Int32

  /// Takes standard input and output for the channel. Afterwards standard input is empty and standard output goes to
  /// standard error, so that a `print` cannot break the protocol.
  static func take() -> PrivateChannel {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      if null > STDERR_FILENO { close(null) }
    }
    return PrivateChannel(input: input, output: output)
  }
}
