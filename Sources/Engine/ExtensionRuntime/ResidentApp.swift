import CLinux
import EventLoop
import ExtensionProtocol
import Files
import Glibc
import JSONRPC

/// A containing app that a user started: it takes URLs at a socket until it is interrupted.
package enum ResidentApp {
  /// Whether this process was started by a user and not by a host: a host gives it pipes.
  package static var isStartedByUser: Bool {
    var info = stat()
    guard fstat(STDIN_FILENO, &info) == 0 else { return true }
    let kind = info.st_mode & S_IFMT
    return kind != S_IFIFO && kind != S_IFSOCK
  }

  /// Serves every host that connects; ends the process with a message when it cannot.
  package static func run<Extension: AppExtension>(
    _ type: Extension.Type, identifier: String, handlers: () -> [SessionHandler]
  ) -> Never {
    guard let paths = StatePaths(environment: environment, workingDirectory: Folder.workingDirectory),
      (try? Folder.make(paths.runtime)) != nil
    else {
      fail("\(identifier) has no folder for its socket; set HOME or ANNEX_HOME.")
    }
    let path = paths.socket(ofApp: identifier)
    let listener = clinux_local_listen(path)
    guard listener >= 0 else {
      fail(
        errno == EADDRINUSE
          ? "\(identifier) is running already."
          : "\(identifier) cannot listen at \(path): \(SystemError.last).")
    }
    guard let loop = try? EventLoop(opening: EventLoop.defaultSpin) else {
      fail("\(identifier) has no descriptor left for an event loop.")
    }
    loop.serveMainActor()
    ResidentTerminal.start(on: loop)
    let handlers = handlers()
    ExtensionMain.check(type, handlers)
    write("\(identifier) is running and takes URLs; interrupt it to end it.\n", to: STDERR_FILENO)
    loop.run { await serve(listener, on: loop, handlers: handlers) }
    exit(0)
  }

  private static func serve(_ listener: Int32, on loop: EventLoop, handlers: [SessionHandler]) async {
    let (connections, continuation) = AsyncStream.makeStream(of: Int32.self)
    do {
      _ = try loop.watch(listener, for: .reading) { _ in
        let descriptor = clinux_local_accept(listener)
        if descriptor >= 0 { continuation.yield(descriptor) }
      }
    } catch {
      fail("Cannot wait for connections: \(SystemError(error.errno)).")
    }
    await withDiscardingTaskGroup { group in
      for await descriptor in connections {
        group.addTask(executorPreference: loop) {
          let connection = Connection(
            on: loop, input: descriptor, output: descriptor, configuration: Connection.Configuration())
          await ExtensionSession(connection: connection, handlers: handlers).run()
          close(descriptor)
        }
      }
    }
  }

  /// The environment variables that ``StatePaths`` reads.
  private static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in ["ANNEX_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  private static func fail(_ message: String) -> Never {
    write("error: \(message)\n", to: STDERR_FILENO)
    exit(69)
  }

  /// Writes text for the user who started the app.
  package static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
