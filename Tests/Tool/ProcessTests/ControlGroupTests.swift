import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import JSON
import Sandbox
import Testing

@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(if: ControlGroupPlace.groups != nil, "needs a control group of its own: ANNEX_CONTROL_GROUP"))
struct `An extension in a control group` {
  @Test(arguments: ["memory", "memory-slowly", "half-ended"])
  func `is ended by the kernel at its ceiling`(order: String) async throws {
    let error = try await Glutton(order).failure()
    #expect(error.reason == "memory" && error.ceiling == 24 << 20, "\(error)")
    #expect(try #require(error.figure) <= 24 << 20)
    #expect(error.message.contains("wanted more than the 24 MiB that are allowed"), "\(error)")
    #expect(ControlGroupPlace.names.isEmpty)
  }

  @Test func `that kills itself is told apart by the kernel's count`() async throws {
    let error = try await Glutton("itself").failure()
    #expect(error.reason == "crashed" && error.details["signal"] == 9, "\(error)")
    #expect(error.ceiling == nil && ControlGroupPlace.names.isEmpty)
  }

  @Test(.enabled(if: ControlGroupPlace.groups?.boundsThreads == true, "needs the controller of processes"))
  func `gets the threads of its limit`() async throws {
    #expect(try await Glutton("threads") { $0.threads = 20 }.outcome() == "20 threads")
    #expect(ControlGroupPlace.names.isEmpty)
  }

  @Test func `leaves no group when all is well`() async throws {
    let stage = try Stage()
    let names = try await stage.host.withExtension("com.example.adventures.visits") { _ in ControlGroupPlace.names }
    #expect(names.count == 1, "\(names)")
    #expect(ControlGroupPlace.names.isEmpty)
  }

  @Test func `of a host that was killed is swept up by the next one`() async throws {
    let tool = try HostTool()
    let dead = try TenWidgets(tool, environment: ["ANNEX_CONTROL_GROUP": try #require(ControlGroupPlace.groups).path])
    try await dead.areAtWork()
    #expect(ControlGroupPlace.names.count == 10)
    await dead.kill()
    #expect(ControlGroupPlace.names.count == 10)
    _ = try await Stage().update("com.example.adventures.visits")
    #expect(ControlGroupPlace.names.isEmpty)
  }

  @Test func `is not started where the directory cannot be used`() async throws {
    let tool = try HostTool()
    var environment = tool.environment
    environment["ANNEX_CONTROL_GROUP"] = "/nonexistent"
    let arguments = ["today", "com.example.adventures.visits", "--json", "--manifests", Build.samples]
    let output = try await Program("\(Build.products)/host", arguments, environment: environment).finish()
    #expect(output.stdout.contains("/nonexistent is not a directory of control groups"), "\(output)")
    #expect(output.status != 0)
  }
}
