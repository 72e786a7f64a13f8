import JSON
import ExtensionProtocol
import Testing

@testable import ExtensionHosting

private enum Time: ServiceContract {
  static let name = "time"
  static let methods: [any RemoteMethod.Type] = []
  static let calls: [HostCall] = [.notification(DidPass.self), .request(Wind.self)]
  struct DidPass: RemoteNotification { static let method = "time/didPass" }
  struct Wind: RemoteMethod {
    typealias Result = Empty
    static let method = "time/wind"
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What a host calls` {
  private let rules = CallRules(
    points: ExtensionPointTable([
      ExtensionPointDefinition(
        .clock, version: PointVersion(1, 2), shortName: "clock", role: "a clock", plural: "the clocks",
        calls: [
          .announced("clock/strike"), .announced("clock/stop", isNotification: true, since: PointVersion(1, 1)),
        ], commonCalls: [Time.self], limits: ExtensionLimits(memoryMiB: 1)),
      ExtensionPointDefinition(
        .sender, shortName: "sender", role: "a sender", plural: "the senders", calls: [.announced("sender/send")],
        limits: ExtensionLimits(memoryMiB: 1)),
    ]), contracts: [Time.self])

  private func refusal(
    _ method: String, _ point: ExtensionPoint = .clock, _ version: PointVersion = PointVersion(1, 2)
  ) -> ExtensionError? { rules.refusal(of: method, at: point, version: version, of: "Big Ben") }

  @Test(arguments: ["clock/strike", "clock/stop", "time/wind", "time/didPass", "$/ping", "terminate", "initialize"])
  func `is a method of the point, of its common calls or of the wire`(method: String) {
    #expect(refusal(method) == nil)
  }

  @Test(arguments: ["sender/send", "clock/chime", "clock/", "clock", "", "clock/strike2", "CLOCK/strike"])
  func `is nothing else`(method: String) { #expect(refusal(method)?.code == .pointDisallows) }

  @Test func `is refused with the names of both points`() {
    let error = refusal("sender/send")
    #expect(
      error?.message
        == "sender/send is not a method of the extension point clock, but of sender, so it was not sent to Big Ben.")
    #expect(error?.recovery == "Call one of clock/stop, clock/strike, time/didPass, time/wind.")
  }

  @Test func `of services is a request only where the point says so`() {
    #expect(refusal("time/wind", .sender)?.code == .pointDisallows && refusal("time/didPass", .sender) == nil)
    #expect(refusal("clock/strike", ExtensionPoint("com.example.none"))?.code == .pointDisallows)
  }

  /// Whatever a definition does not say came with a version was there from the beginning.
  @Test func `is all of a point that has no first version yet`() throws {
    let draft = ExtensionPointDefinition(
      .clock, version: PointVersion(0, 3), shortName: "clock", role: "a clock", plural: "the clocks",
      calls: [.announced("clock/strike"), .announced("clock/stop", since: PointVersion(0, 2))],
      commonCalls: [Time.self],
      limits: ExtensionLimits(memoryMiB: 1))
    let table = ExtensionPointTable([draft])
    try table.check([Time.self])
    let rules = CallRules(points: table, contracts: [Time.self])
    func refusal(_ method: String, _ version: PointVersion) -> ExtensionError? {
      rules.refusal(of: method, at: .clock, version: version, of: "Big Ben")
    }
    for method in ["clock/strike", "time/wind", "time/didPass"] {
      #expect(refusal(method, PointVersion(0, 1)) == nil, "\(method)")
    }
    #expect(refusal("clock/stop", PointVersion(0, 2)) == nil)
    #expect(refusal("clock/stop", PointVersion(0, 1))?.details["needs"] == "0.2")
  }

  @Test func `is what the extension's version of the point has`() {
    #expect(refusal("clock/stop", .clock, PointVersion(1, 1)) == nil)
    let error = refusal("clock/stop", .clock, PointVersion(1, 0))
    #expect(error?.code == .methodNotFound && error?.details["needs"] == "1.1" && error?.details["has"] == "1.0")
    #expect(error?.message.contains("Big Ben speaks version 1.0 of the extension point clock") == true)
  }
}
