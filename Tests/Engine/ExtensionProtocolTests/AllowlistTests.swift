import ExtensionProtocol
import JSON
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

  private enum Silent: ServiceContract {
    static let name = "silent"
    static let methods: [any RemoteMethod.Type] = []
  }

  /// A table with one point whose extensions use some services only, and another one that uses all.
  private func restricted(
    _ services: [any ServiceContract.Type]?, access: [Allowlist.Row] = []
  ) -> Allowlist {
    let clock = ExtensionPointDefinition(
      .clock, shortName: "clock", role: "a clock", plural: "the clocks", services: services,
      limits: ExtensionLimits(memoryMiB: 1), access: access)
    let sender = ExtensionPointDefinition(
      .sender, shortName: "sender", role: "a sender", plural: "the senders", limits: ExtensionLimits(memoryMiB: 1))
    return Allowlist(contracts: [Time.self, Silent.self], points: ExtensionPointTable([clock, sender]))
  }

  private let all = ["time", "silent", "tide"]

  @Test func `closes what is not among the services of a point`() {
    let none = restricted([])
    for method in ["time/now", "silent/a", "tide/a", "time"] {
      let error = none.refusal(method: method, point: .clock, entitlements: all)
      #expect(error?.code == .pointDisallows && error?.message.hasSuffix("Its extensions use no services.") == true)
      #expect(error?.details == ["method": .string(method), "point": "com.example.points.clock"])
    }
    #expect(none.refusal(method: "$/log", point: .clock, entitlements: []) == nil)
    #expect(none.refusal(method: "time/now", point: .sender, entitlements: []) == nil)
    #expect(none.permissions(method: "time/now", point: .clock) == [])
    let some = restricted([Time.self], access: [Allowlist.Row("tide/now", nil, nil, permissions: ["data"], "A tide.")])
    #expect(some.refusal(method: "time/now", point: .clock, entitlements: []) == nil)
    #expect(some.refusal(method: "tide/now", point: .clock, entitlements: []) == nil)
    #expect(some.permissions(method: "tide/now", point: .clock) == ["data"])
    #expect(some.permissions(method: "tide/now", point: .sender) == ["data"], "the first of those there are")
    #expect(some.refusal(method: "tide/now", point: .sender, entitlements: all)?.code == .pointDisallows)
    let other = some.refusal(method: "silent/a", point: .clock, entitlements: all)
    #expect(other?.message.hasSuffix("Its extensions use the services tide, time.") == true)
  }

  @Test func `opens a service that says nothing itself to the points that name it`() {
    let table = restricted([Silent.self, Time.self])
    #expect(table.refusal(method: "silent/a", point: .clock, entitlements: []) == nil)
    #expect(table.refusal(method: "silent/a", point: .sender, entitlements: all)?.code == .pointDisallows)
    #expect(table.refusal(method: "time/set", point: .clock, entitlements: [])?.code == .permissionDenied)
    let free = restricted(nil)
    let error = free.refusal(method: "silent/a", point: .clock, entitlements: [])
    #expect(error?.code == .permissionDenied)
    #expect(error?.details == ["method": "silent/a", "permission": "silent", "state": "denied"])
    #expect(free.refusal(method: "silent/a", point: .clock, entitlements: ["silent"]) == nil)
    #expect(free.refusal(method: "silent", point: .clock, entitlements: ["silent/a"])?.code == .permissionDenied)
  }

  @Test func `has one row decide: that of the point, else an open one, else the first`() {
    let table = Allowlist([
      Allowlist.Row("a/*", [.sender], nil, "First."), Allowlist.Row("a/*", nil, "open", "Second."),
      Allowlist.Row("a/*", [.clock], "own", "Third."), Allowlist.Row("a/*", nil, nil, "Fourth."),
      Allowlist.Row("b/c", [.sender], nil, "Fifth."), Allowlist.Row("b/c", [], nil, "Sixth."),
      Allowlist.Row("b/*", nil, nil, "Seventh."),
    ])
    let app = ExtensionPoint.containingApp
    for (method, point, rule) in [
      ("a/x", .sender, "First."), ("a/x", app, "Second."), ("a/x", .clock, "Third."), ("b/c", .sender, "Fifth."),
      ("b/c", .clock, "Fifth."), ("b/d", .clock, "Seventh."), ("b/", .clock, "Seventh."), ("b", .clock, nil),
      ("a", .clock, nil),
    ] as [(String, ExtensionPoint, String?)] {
      #expect(table.row(for: method, point: point)?.rule == rule, "\(method)")
    }
    #expect(table.refusal(method: "b/c", point: .clock, entitlements: [])?.code == .pointDisallows)
    #expect(table.rows(for: "b/c").map(\.rule) == ["Fifth.", "Sixth."])
    for (place, row) in table.rows.enumerated() {
      let decides = table.decides(row, for: place < 4 ? "a/x" : "b/c", at: .clock)
      #expect(decides == (place == 2))
    }
  }
}
