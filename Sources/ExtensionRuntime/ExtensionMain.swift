import CLinux
import EventLoop
import JSONRPC

/// The entry point of every extension: one event loop on the main thread.
package enum ExtensionMain {
  package static func run(handlers: [SessionHandler]) {
    let channel = PrivateChannel.take()
    let loop = EventLoop()
    loop.run {
      let connection = Connection(
        on: loop, input: channel.input, output: channel.output,
        configuration: Connection.Configuration())
      await ExtensionSession(connection: connection, handlers: handlers).run()
    }
  }
}
