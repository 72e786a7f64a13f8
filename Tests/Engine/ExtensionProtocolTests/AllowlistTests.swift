import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A table of access` {
  private enum Time: ServiceContract {
    static let name = "time"
    static let methods: [any RemoteMethod.Type] = []
    static let access = [
      Allowlist.Row("time/now", nil, nil, "The time is not secret."),
      Allowlist.Row("time/*", nil, "time", "Clocks are changed by those who name it."),
    ]
  }

  private let table = Allowlist(contracts: [Time.self], points: .testing)

  @Test func `says what the contracts say`() {
    #expect(table.refusal(method: "time/now", point: .clock, entitlements: []) == nil)
    #expect(table.refusal(method: "time/set", point: .clock, entitlements: [])?.code == .permissionDenied)
    #expect(table.refusal(method: "time/set", point: .clock, entitlements: ["time"]) == nil)
    #expect(table.refusal(method: "$/log", point: .clock, entitlements: []) == nil)
    #expect(table.refusal(method: "tide/now", point: .clock, entitlements: ["time"])?.code == .permissionDenied)
  }

  @Test func `lets a point decide about its own extensions`() {
    #expect(table.refusal(method: "time/set", point: .sender, entitlements: []) == nil)
    #expect(table.permissions(method: "time/set", point: .sender) == ["network"])
    #expect(table.permissions(method: "time/set", point: .clock) == [])
    // The row that names the method comes first.
    #expect(table.permissions(method: "time/now", point: .sender) == [])
  }

  @Test func `is told method by method and point by point`() {
    let decisions = table.decisions(methods: ["time/set", "time/now"], points: .testing)
    #expect(
      Allowlist.text(of: decisions, points: .testing) == """
        time/now\tclock\topen\t-\t-\tThe time is not secret.
        time/now\tsender\topen\t-\t-\tThe time is not secret.
        time/now\tapp\topen\t-\t-\tThe time is not secret.
        time/set\tclock\topen\ttime\t-\tClocks are changed by those who name it.
        time/set\tsender\topen\t-\tnetwork\tA sender says where it takes the time.
        time/set\tapp\topen\ttime\t-\tClocks are changed by those who name it.

        """)
  }
}
