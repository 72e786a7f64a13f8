import ExtensionProtocol
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A name that another team takes over` {
  private static let id = "com.example.notes.clock"
  private static let app = "com.example.notes"
  private static let network = AskedPermission("network", scope: ["example.com"])

  @Test func `takes nothing of what was allowed with it, also when it is done twice`() {
    var record = PermissionRecord()
    record.decide(Self.network, .granted, for: Self.id, at: 1)
    for _ in 0..<2 { record.handOver([Self.id], of: Self.app, from: "one", to: "two") }
    #expect(record.state(of: Self.network, for: Self.id) == .undecided)
    record.decide(Self.network, .denied, for: Self.id, at: 2)
    // A crash before the end has it done once more: what the new team was told is its own.
    record.handOver([Self.id], of: Self.app, from: "one", to: "two")
    #expect(record.state(of: Self.network, for: Self.id) == .denied)
    for _ in 0..<2 { record.handOver([Self.id], of: Self.app, from: "two", to: "one") }
    #expect(record.state(of: Self.network, for: Self.id) == .granted)
    record.handOver([Self.id], of: Self.app, from: "one", to: "two")
    #expect(record.state(of: Self.network, for: Self.id) == .denied)
    // A third team between them, and the first one for the third time.
    record.handOver([Self.id], of: Self.app, from: "two", to: "three")
    #expect(record.state(of: Self.network, for: Self.id) == .undecided)
    record.handOver([Self.id], of: Self.app, from: "three", to: "one")
    #expect(record.state(of: Self.network, for: Self.id) == .granted)
    record.handOver([Self.id], of: Self.app, from: "one", to: "two")
    #expect(record.state(of: Self.network, for: Self.id) == .denied)
  }

  @Test func `leaves the groups to the app of before`() {
    var record = GroupRecord()
    record.claim("group.com.example.notes", for: Self.app, at: 1)
    for _ in 0..<2 { record.handOver(Self.app, from: "one", to: "two") }
    #expect(record.owner(of: "group.com.example.notes") == "\(Self.app)@one")
    record.claim("group.com.example.notes", for: Self.app, at: 2)
    #expect(record.owner(of: "group.com.example.notes") != Self.app)
    for _ in 0..<2 { record.handOver(Self.app, from: "two", to: "one") }
    #expect(record.owner(of: "group.com.example.notes") == Self.app)
    record.handOver(Self.app, from: "one", to: "two")
    #expect(record.owner(of: "group.com.example.notes") == "\(Self.app)@one")
  }
}
