import CLinux
import EventLoop
import Glibc
import JSONRPC

/// The entry point of every extension: one event loop on the main thread.
package enum ExtensionMain {
  package static func run(handlers: [SessionHandler]) {
    let channel = PrivateChannel.take()
    let loop = EventLoop()
    loop.run {
      let connection = Connection(
        on: loop, input: channel.input, output: channel.output,
        configuration: Connection.Configuration(framing: framing))
      await ExtensionSession(connection: connection, handlers: handlers).run()
    }
  }

  /// What the manifest names, handed over by the host in the environment.
  private static var framing: Framing {
    getenv("ANNEX_FRAMING").flatMap { Framing(rawValue: String(cString: $0)) } ?? .lines
  }
}
