import ExtensionProtocol
import PropertyList
import Testing

/// A service and a few methods of these tests.
private enum Time: ServiceContract {
  static let name = "time"
  static let methods: [any RemoteMethod.Type] = [Now.self]
  struct Now: RemoteMethod {
    typealias Result = Empty
    static let method = "time/now"
  }
}

private enum Moon: ServiceContract {
  static let name = "moon"
  static let methods: [any RemoteMethod.Type] = [Phase.self]
  struct Phase: RemoteMethod {
    typealias Result = Empty
    static let method = "moon/phase"
  }
}

private struct Strike: RemoteMethod {
  typealias Result = Empty
  static let method = "clock/strike"
}

private struct OtherStrike: RemoteMethod {
  typealias Result = Empty
  static let method = "clock/strike"
}

private struct Stop: RemoteNotification { static let method = "clock/stop" }

@Suite(.timeLimit(.minutes(1))) struct `A definition of an extension point` {
  private func clock(
    _ point: ExtensionPoint = .clock, name: String = "clock", prefix: String? = nil,
    version: PointVersion = .first, calls: [HostCall] = [.request(Strike.self)],
    services: [any ServiceContract.Type]? = nil, permissions: [String]? = nil
  ) -> ExtensionPointDefinition {
    ExtensionPointDefinition(
      point, version: version, shortName: name, role: "a clock", plural: "the clocks", prefix: prefix, calls: calls,
      services: services, permissions: permissions, limits: ExtensionLimits(memoryMiB: 32))
  }

  private func refusal(
    _ definitions: [ExtensionPointDefinition], _ contracts: [any ServiceContract.Type] = []
  ) -> String? {
    do throws(ExtensionError) { try ExtensionPointTable(definitions).check(contracts) } catch { return error.message }
    return nil
  }

  @Test func `fits what it is meant to fit`() {
    let both: [HostCall] = [.request(Strike.self), .notification(Stop.self)]
    #expect(refusal([clock(calls: both), .testingSender], [Time.self]) == nil)
    // Several points may be called alike.
    #expect(refusal([clock(calls: both), clock(.sender, name: "alarm", prefix: "clock", calls: both)]) == nil)
    #expect(refusal([clock(), clock()]) == nil)
  }

  @Test func `shares its prefix with no other, and the refusal has both names`() {
    let message = refusal([
      clock(), clock(.sender, name: "alarm", prefix: "clock", calls: [.request(OtherStrike.self)]),
    ])
    #expect(message?.contains(ExtensionPoint.clock.rawValue) == true)
    #expect(message?.contains(ExtensionPoint.sender.rawValue) == true)
    #expect(message?.contains("prefix clock") == true)
    #expect(refusal([clock(calls: []), clock(.sender, name: "alarm", prefix: "clock", calls: [])]) != nil)
  }

  @Test func `shares its prefix with no service but its own`() {
    let message = refusal([clock(prefix: "time", calls: [])], [Time.self])
    #expect(message?.contains("Time") == true && message?.contains(ExtensionPoint.clock.rawValue) == true)
    #expect(refusal([clock(prefix: "time", calls: [], services: [Time.self])], [Time.self]) == nil)
  }

  @Test func `has no second definition that differs`() {
    #expect(refusal([clock(), clock(calls: [.request(OtherStrike.self)])])?.contains("differ") == true)
    #expect(refusal([clock(), clock(.sender)])?.contains("both called clock") == true)
  }

  @Test func `has methods of its own prefix only, each once and not before its time`() {
    #expect(refusal([clock(name: "bell")])?.contains("clock/strike, which is outside its prefix bell") == true)
    #expect(refusal([clock(calls: [.request(Strike.self), .request(Strike.self)])])?.contains("twice") == true)
    let late = clock(calls: [.request(Strike.self, since: PointVersion(1, 1))])
    #expect(refusal([late])?.contains("version 1.1") == true)
    #expect(refusal([clock(calls: [.announced("clock/")])])?.contains("outside its prefix") == true)
  }

  @Test(arguments: [
    "", "Clock", "$", "a/b", "1st", "initialize", "initialized", "terminate", "permissions", "ö",
    String(repeating: "a", count: 65),
  ])
  func `has a prefix that can be one`(prefix: String) {
    #expect(refusal([clock(prefix: prefix, calls: [])])?.contains("not a prefix") == true)
  }

  @Test(arguments: ["", "clock point", "org..example", "a/b"]) func `has an identifier that can be one`(text: String) {
    #expect(refusal([clock(ExtensionPoint(text))])?.contains("identifier") == true)
  }

  @Test func `may use its bounds whole`() {
    let longest = String(repeating: "a", count: 64)
    #expect(refusal([clock(prefix: longest, calls: [])]) == nil)
    #expect(
      refusal([clock(version: PointVersion(1, 1), calls: [.request(Strike.self, since: PointVersion(1, 1))])]) == nil)
    // A version before the first one has the calls that say nothing.
    #expect(refusal([clock(version: PointVersion(0, 9))]) == nil)
    #expect(clock(version: PointVersion(0, 9)).oldest == PointVersion(0, 0))
    #expect(clock(version: PointVersion(2, 3)).oldest == PointVersion(1, 0))
    #expect(refusal([clock(calls: [.announced("clock/x")])]) == nil)
  }

  @Test func `differs from another in the kind and the number of its methods`() {
    let strike = HostCall.request(Strike.self)
    #expect(refusal([clock(), clock(calls: [strike, .notification(Stop.self)])])?.contains("differ") == true)
    #expect(refusal([clock(calls: [strike, .notification(Stop.self)]), clock()])?.contains("differ") == true)
    #expect(refusal([clock(), clock(calls: [.announced("clock/strike")])])?.contains("differ") == true)
    let notice = clock(calls: [.announced("clock/strike", isNotification: true)])
    #expect(refusal([clock(calls: [.announced("clock/strike")]), notice])?.contains("differ") == true)
    #expect(refusal([clock(calls: []), clock(prefix: "bell", calls: [])])?.contains("differ") == true)
    // A third one is compared with each of those before it.
    #expect(refusal([clock(), clock(.sender, name: "alarm", prefix: "alarm", calls: []), clock(calls: [])]) != nil)
  }

  @Test func `is in the catalogue once for all points that share its prefix`() {
    let both: [HostCall] = [.request(Strike.self, transfers: [.fileIn("face")]), .notification(Stop.self)]
    let table = ExtensionPointTable([
      clock(calls: both), clock(.sender, name: "alarm", prefix: "clock", calls: both),
      clock(ExtensionPoint("com.example.other"), name: "other", calls: []),
    ])
    let entries = MethodCatalogue(contracts: [Moon.self, Time.self], points: table).entries
    #expect(entries.map(\.method) == ["clock/stop", "clock/strike", "moon/phase", "time/now"])
    #expect(entries.map(\.isCalledByHost) == [true, true, false, false])
    #expect(entries.map(\.isNotification) == [true, false, false, false])
    #expect(entries.map(\.points) == [[.clock, .sender], [.clock, .sender], nil, nil])
    #expect(entries.map(\.transfers) == [[], [.fileIn("face")], [], []])
    #expect(entries.map { $0.result == nil } == [true, false, false, false])
  }

  @Test func `opens the services that it names, and no others`() {
    let table = ExtensionPointTable([clock(services: [Time.self]), clock(.sender, name: "alarm", calls: [])])
    let list = Allowlist(contracts: [Time.self, Moon.self], points: table)
    func refusal(_ method: String, _ point: ExtensionPoint, _ entitlements: [String] = []) -> ExtensionError.Code? {
      list.refusal(method: method, point: point, entitlements: entitlements)?.code
    }
    #expect(refusal("time/now", .clock) == nil)
    #expect(refusal("moon/phase", .clock, ["moon"]) == .pointDisallows)
    #expect(refusal("$/log", .clock) == nil)
    // What one point names is its own, and a service that nobody names needs an entitlement.
    #expect(refusal("time/now", .sender, ["time"]) == .pointDisallows)
    #expect(refusal("moon/phase", .sender) == .permissionDenied && refusal("moon/phase", .sender, ["moon"]) == nil)
  }

  @Test func `bounds what a manifest asks its user for`() {
    let manifest = `A manifest`.widget(["Annex": ["Network": ["example.org"]]])
    func problems(_ permissions: [String]?) -> [ManifestProblem] {
      ManifestValidation(
        manifest, points: ExtensionPointTable([clock(permissions: permissions)])
      ).problems.filter { $0.severity == .error }
    }
    #expect(problems(nil).isEmpty && problems(["network"]).isEmpty)
    #expect(problems([]).map(\.keyPath) == ["Annex.Network"])
    #expect(problems(["jit"]).map(\.message) == ["An extension for clock may not ask for network."])
    let advice = "Leave it out; the extension point allows "
    #expect(problems([]).map(\.recovery) == [advice + "no permission."])
    #expect(problems(["jit", "data"]).map(\.recovery) == [advice + "jit, data."])
  }
}

extension ExtensionPointDefinition {
  fileprivate static let testingSender = ExtensionPointTable.testing.definition(of: .sender)
}
