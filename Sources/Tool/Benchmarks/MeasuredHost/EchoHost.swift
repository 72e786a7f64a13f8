import CFloor
import EchoContract
package import EventLoop
package import ExtensionHosting
package import ExtensionProtocol
import Glibc
import JSONRPC
import Sandbox

/// A host that starts the benchmark's extension.
package struct EchoHost: Sendable {
  package let host: ExtensionHost
  package let choice: SandboxChoice
  package let program: String

  package var loop: EventLoop { host.loop }

  /// Starts the extension, runs the body with it, and ends it.
  package func withEcho<Result: Sendable>(_ body: (ExtensionProcess) async throws -> Result) async throws -> Result {
    guard choice == .none else { return try await host.withExtension(Bench.identifier, body) }
    let target = try host.configuration.registry.launchTarget(Bench.identifier)
    return try await host.serve(UnconfinedEcho(program: program, loop: loop), target, body)
  }

  /// As ``withEcho(_:)``, with the two ends on chosen CPUs.
  package func withEcho<Result: Sendable>(
    at placement: Placement, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    try placement.enter()
    defer { placement.leave() }
    return try await withEcho { echo in
      try placement.moveHost()
      return try await body(echo)
    }
  }
}

/// The extension without a sandbox, for comparing only.
private struct UnconfinedEcho: ExtensionLink {
  let process: SandboxedProcess
  let connection: Connection
  let directories = Initialize.Directories(scratch: "/tmp", container: "/tmp", groups: [:])

  init(program: String, loop: EventLoop) throws {
    process = try LaunchPlan.unsafeNoSandbox(executable: program).spawn()
    connection = Connection(on: loop, input: process.standardOutput, output: process.standardInput)
  }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(of: instance, connection: connection, scratch: nil)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    _ = try? await connection.call(
      Terminate.method, Terminate(reason: reason.rawValue, graceMs: 1000), returning: Empty.self, deadline: .seconds(1))
    await connection.close(.finished)
    for descriptor in [process.standardInput, process.standardOutput, process.standardError] { close(descriptor) }
    _ = try? process.waitUntilExit()
    close(process.pidfd)
  }
}

extension ExtensionProcess {
  /// Makes calls one after the other, after a tenth as many to warm up; the nanoseconds of each.
  package func times<Method: RemoteMethod>(of method: Method, count: Int) async throws -> [UInt64] {
    for _ in 0..<(count / 10 + 1) { _ = try await call(method) }
    var times: [UInt64] = []
    times.reserveCapacity(count)
    var start = floor_now()
    for _ in 0..<count {
      _ = try await call(method)
      let end = floor_now()
      times.append(end - start)
      start = end
    }
    return times
  }
}
