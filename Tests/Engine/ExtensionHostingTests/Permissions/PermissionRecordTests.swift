import ExtensionProtocol
import Testing

@testable import ExtensionHosting

/// What a record keeps of decisions, and what a question is on its way to a page.
@Suite(.timeLimit(.minutes(1))) struct `A record of permissions` {
  private static let network = AskedPermission("network", scope: ["b.example", "a.example"])
  private static let id = "com.example.notes.clock"

  @Test func `keeps each decision for itself, and forgets one alone`() {
    var record = PermissionRecord()
    record.decide(Self.network, .granted, for: Self.id, at: 7)
    record.decide(AskedPermission("auth"), .denied, for: Self.id, at: 8)
    record.decide(AskedPermission("jit"), .granted, for: "com.example.other", at: 9)
    #expect(record.decided(for: Self.id) == ["auth", "network"] && record.decided(for: "com.example.none") == [])
    let decision = record.decisions[Self.id]?["network"]
    #expect(decision?.state == .granted && decision?.scope == ["a.example", "b.example"] && decision?.decidedAt == 7)
    record.decide(Self.network, .undecided, for: Self.id, at: 10)
    #expect(record.decided(for: Self.id) == ["auth"] && record.state(of: Self.network, for: Self.id) == .undecided)
    record.decide(AskedPermission("auth"), .undecided, for: Self.id, at: 11)
    #expect(record.decisions.map(\.key) == ["com.example.other"])
    record.decide(AskedPermission("auth"), .undecided, for: "com.example.none", at: 12)
    #expect(record.decisions.map(\.key) == ["com.example.other"])
  }

  @Test func `holds a grant for its parts, and a refusal for whatever is asked`() {
    var record = PermissionRecord()
    for (state, wider) in [(PermissionState.granted, PermissionState.undecided), (.denied, .denied)] {
      record.decide(AskedPermission("network", scope: ["a", "b"]), state, for: Self.id, at: 1)
      for (scope, expected) in [([], state), (["b"], state), (["b", "a"], state), (["a", "b", "c"], wider)] {
        #expect(record.state(of: AskedPermission("network", scope: scope), for: Self.id) == expected)
      }
    }
  }

  @Test func `hands over every extension of an app, and no other's`() {
    var record = PermissionRecord()
    let ids = ["one", "two", "three"]
    for id in ids + ["other"] { record.decide(Self.network, .granted, for: id, at: 1) }
    record.handOver(Array(ids.dropLast()), of: "app", from: "old", to: "new")
    #expect(
      (ids + ["other"]).map { record.state(of: Self.network, for: $0) == .granted } == [false, false, true, true])
    record.handOver(Array(ids.dropLast()), of: "app", from: "new", to: "old")
    #expect((ids + ["other"]).allSatisfy { record.state(of: Self.network, for: $0) == .granted })
    var groups = GroupRecord()
    for (group, app) in [("a", "app"), ("b", "app"), ("c", "other")] { groups.claim(group, for: app, at: 1) }
    groups.handOver("app", from: "old", to: "new")
    #expect(["a", "b", "c", "d"].map { groups.owner(of: $0) } == ["app@old", "app@old", "other", nil])
    groups.claim("a", for: "app", at: 2)
    #expect(groups.owner(of: "a") == "app@old" && groups.claims["a"]?.claimedAt == 1)
  }

  @Test func `is asked about where a user can be asked for something that is not decided and not the sandbox's`()
    async throws
  {
    let folder = try TemporaryFolder()
    let state = StateDirectory(path: "\(folder.path)/state")
    let identity = Caller.Identity(
      id: Self.id, version: nil, displayName: "E", point: .clock, containingApp: "com.example.notes", groups: [],
      entitlements: [],
      permissions: [Self.network] + ["open-access", "jit", "group", "odd"].map { AskedPermission($0) })
    let asking = PermissionAuthority(state: state, consent: .ask { _ in .granted })
    for name in ["open-access", "jit", "group", "odd", "data", ""] { #expect(!asking.isAskedFor(name, for: identity)) }
    for consent in [Consent.ask(nil), .grant, .deny] {
      #expect(!PermissionAuthority(state: state, consent: consent).isAskedFor("network", for: identity))
    }
    for (decision, isAsked) in [
      (nil, true), (.granted, false), (.undecided, true), (.denied, false), (.undecided, true),
    ] as [(PermissionState?, Bool)] {
      if let decision { try await asking.decide(Self.network, decision, for: Self.id) }
      #expect(asking.isAskedFor("network", for: identity) == isAsked)
    }
  }

  @Test func `sends a page what is asked, of a reason 200 characters, and nothing for what there is not`() {
    for (count, kept) in [(199, 199), (200, 200), (201, 200)] {
      let caller = Caller.Identity(
        id: "a", version: "1", displayName: "A", point: .clock, containingApp: "app", groups: ["g"], entitlements: ["e"]
      )
      let question = PermissionQuestion(
        caller: caller, permission: .auth, scope: ["s"], reason: String(repeating: "é", count: count))
      let sent = QuestionAsked(question).question
      #expect(sent?.reason == String(repeating: "é", count: kept) && sent?.permission == .auth && sent?.scope == ["s"])
      #expect(sent?.caller.version == nil && sent?.caller.groups == [] && sent?.caller.entitlements == [])
    }
  }
}
