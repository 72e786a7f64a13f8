import AppExtensions
import Foundation
import HostServices
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import ExtensionTesting

/// The permissions of one process, as they are given and taken while it runs and calls.
@Suite(.timeLimit(.minutes(1)))
struct `What a process is allowed` {
  private static let network = AskedPermission("network", scope: ["a.example"])
  private static let data = AskedPermission("data")
  private static let jit = AskedPermission("jit")
  private static let identity = Caller.Identity.testing(permissions: [network, data, jit])

  private struct Place {
    let authority: PermissionAuthority
    let process: ExtensionProcess
    let permissions: CallerPermissions
    let folder: TestFolder

    func decide(_ permission: AskedPermission, _ state: PermissionState) async throws {
      try await authority.decide(permission, state, for: process.caller.identity.id)
    }

    func refusal(_ names: String...) -> ExtensionError? { permissions.refusal("a/b", names) }
  }

  /// Runs the body with a process that was started when these were granted. The host itself has another record, and so
  /// leaves the process alone.
  private func withProcess(
    granted: [AskedPermission] = [], consent: Consent = .ask(nil), _ body: (Place) async throws -> Void
  ) async throws {
    let (folder, ofHost) = (try TestFolder(), try TestFolder())
    defer {
      folder.remove()
      ofHost.remove()
    }
    let authority = PermissionAuthority(state: folder.state, consent: consent)
    let atStart = PermissionAuthority(state: ofHost.state)
    for permission in granted {
      for each in [authority, atStart] { try await each.decide(permission, .granted, for: Self.identity.id) }
    }
    try await Stage(permissions: atStart).withPeer(PeerProbe(), identity: Self.identity) { process in
      try await body(
        Place(
          authority: authority, process: process, permissions: CallerPermissions(authority, of: process), folder: folder
        ))
    }
  }

  @Test func `needs all that a call needs, and is told the first that is missing`() async throws {
    try await withProcess { place in
      for round in 0..<2 {
        for (network, data, missing) in [
          (.granted, .granted, nil), (.granted, .denied, ("data", "denied")), (.denied, .denied, ("network", "denied")),
          (.undecided, .denied, ("network", "undecided")), (.granted, .undecided, ("data", "undecided")),
        ] as [(PermissionState, PermissionState, (String, String)?)] {
          try await place.decide(Self.network, network)
          try await place.decide(Self.data, data)
          let error = place.refusal("network", "data")
          #expect(error?.details["permission"]?.stringValue == missing?.0, "round \(round)")
          #expect(error?.details["state"]?.stringValue == missing?.1 && (error == nil) == (missing == nil))
          #expect(place.refusal() == nil)
        }
      }
      try await place.decide(Self.network, .denied)
      let denied = place.refusal("network")
      #expect(denied?.message == "a/b needs the permission “network”, which the user has denied.")
      #expect(denied?.details["method"] == "a/b" && denied?.details["extension"] == .string(Self.identity.id))
      try await place.decide(Self.network, .undecided)
      let undecided = place.refusal("network")
      #expect(undecided?.message == "a/b needs the permission “network”, about which the user has not decided.")
      let unasked = place.refusal("auth")
      #expect(unasked?.message.contains("does not ask for") == true && unasked?.details["state"] == "denied")
    }
  }

  @Test func `ends a call with the permission that it needs, whatever its result, and no other call`() async throws {
    try await withProcess(granted: [Self.network, Self.data]) { place in
      for round in 0..<2 {
        for (state, taken) in [
          (PermissionState.denied, Self.network), (.undecided, Self.network), (.denied, Self.data),
        ] {
          let isEnded = taken == Self.network
          let seen = Mutex<Bool?>(nil)
          // In a task of its own, which is cancelled with the call.
          async let call = place.permissions.whileGranted(["network"], "a/b") {
            #expect(place.refusal("network") == nil)
            try await place.decide(taken, state)
            place.permissions.refresh()
            seen.withLock { $0 = Task.isCancelled }
            return 7
          }
          do {
            let result = try await call
            #expect(!isEnded && result == 7)
          } catch {
            let error = try #require(error as? ExtensionError)
            #expect(isEnded && error.code == .permissionDenied && error.details["permission"] == "network")
            #expect(error.details["state"] == .string(state.rawValue) && error.details["method"] == "a/b")
          }
          #expect(seen.withLock { $0 } == isEnded, "round \(round)")
          try await place.decide(taken, .granted)
          place.permissions.refresh()
        }
      }
      struct Own: Error {}
      await #expect(throws: Own.self) { try await place.permissions.whileGranted(["network"], "a/b") { throw Own() } }
    }
  }

  @Test func `begins no call whose permission was taken away since somebody asked for it`() async throws {
    try await withProcess(granted: [Self.network, Self.data]) { place in
      for isSeen in [true, false] {
        let begun = Mutex(0)
        #expect(place.refusal("network", "data") == nil)
        try await place.decide(Self.data, .denied)
        if isSeen { place.permissions.refresh() }
        // In a task of its own, which is cancelled with the call.
        async let call: Void = place.permissions.whileGranted(["network", "data"], "a/b") {
          begun.withLock { $0 += 1 }
        }
        do {
          try await call
          Issue.record("It was begun.")
        } catch {
          let error = try #require(error as? ExtensionError)
          #expect(error.code == .permissionDenied && error.details["permission"] == "data")
          #expect(error.details["state"] == "denied" && error.details["method"] == "a/b")
        }
        #expect(begun.withLock { $0 } == 0)
        try await place.decide(Self.data, .granted)
      }
      #expect(try await place.permissions.whileGranted(["network", "data"], "a/b") { 1 } == 1)
    }
  }

  @Test func `takes nothing from a call that ended before, and the first of two from one that runs`() async throws {
    try await withProcess(granted: [Self.network, Self.data]) { place in
      #expect(try await place.permissions.whileGranted(["network"], "a/b") { 1 } == 1)
      try await place.decide(Self.network, .denied)
      place.permissions.refresh()
      #expect(try await place.permissions.whileGranted(["data"], "a/b") { Task.isCancelled } == false)
      try await place.decide(Self.network, .granted)
      place.permissions.refresh()
      let error = await #expect(throws: ExtensionError.self) {
        try await place.permissions.whileGranted(["data", "network"], "a/b") {
          for (permission, state) in [(Self.network, PermissionState.denied), (Self.data, .undecided)] {
            try await place.decide(permission, state)
            place.permissions.refresh()
          }
        }
      }
      #expect(error?.details["permission"] == "network" && error?.details["state"] == "denied")
    }
  }

  @Test func `is given back a permission of the sandbox's without an end when it began without it`() async throws {
    try await withProcess { place in
      for state in [PermissionState.granted, .denied, .granted, .undecided] {
        try await place.decide(Self.jit, state)
        #expect((place.refusal("jit") == nil) == (state == .granted))
        #expect(place.permissions.withdrawal == nil)
      }
    }
  }

  @Test(arguments: [PermissionState.denied, .undecided])
  func `is ended for what the sandbox gave it at its start, though the user gives it again`(state: PermissionState)
    async throws
  {
    try await withProcess(granted: [Self.jit, Self.network]) { place in
      place.permissions.refresh()
      try await place.decide(Self.network, .denied)
      place.permissions.refresh()
      #expect(place.permissions.withdrawal == nil)
      try await place.decide(Self.jit, state)
      place.permissions.refresh()
      try await place.decide(Self.jit, .granted)
      place.permissions.refresh()
      let error = place.permissions.withdrawal
      #expect(error?.code == .permissionDenied && error?.message.contains("“jit” was taken away") == true)
      #expect(
        error?.details == ["permission": "jit", "state": "denied", "extension": .string(Self.identity.id)])
    }
  }

  @Test func `changes no more when the host is done with it`() async throws {
    try await withProcess(granted: [Self.network, Self.jit]) { place in
      let result = try await place.permissions.whileGranted(["network"], "a/b") {
        place.permissions.stop()
        try await place.decide(Self.network, .denied)
        place.permissions.refresh()
        return Task.isCancelled
      }
      #expect(!result && place.permissions.withdrawal == nil)
    }
  }

  @Test func `may change where the manifest asks for something`() async throws {
    try await withProcess { #expect($0.permissions.mayChange) }
    try await Stage().withPeer(PeerProbe()) { process in
      let authority = PermissionAuthority(state: StateDirectory(path: "/nonexistent"))
      #expect(!CallerPermissions(authority, of: process).mayChange)
    }
  }

  // MARK: Questions

  @Test func `looks once, with the last look, when the answer to its question has been sent`() async throws {
    try await withProcess(consent: .ask { _ in .granted }) { place in
      let (authority, caller) = (place.authority, place.process.caller)
      let looks = Mutex<[String]>([])
      @Sendable func look(_ name: String) { looks.withLock { $0.append(name) } }
      #expect(!authority.isAnswering(caller) { look("before") })
      for round in 0..<2 {
        let permission = [Self.network, Self.data][round]
        let state = try await authority.request(permission.name, reason: "", for: caller)
        #expect(state == .granted && !place.permissions.refresh() && place.refusal(permission.name) == nil)
        #expect(authority.isAnswering(caller) { look("first") } && authority.isAnswering(caller) { look("last") })
        #expect(looks.withLock { $0 }.count == round)
        for _ in 0..<2 { authority.answered(caller) }
        #expect(looks.withLock { $0 }.count == round + 1 && !authority.isAnswering(caller) { look("after") })
        #expect(place.permissions.refresh())
      }
      #expect(looks.withLock { $0 } == ["last", "last"])
    }
  }

  @Test func `is told of changes again when its answer could not be kept`() async throws {
    try await withProcess(consent: .ask { _ in .granted }) { place in
      let path = "\(place.folder.path)/permissions.json"
      try "{\"format\":2,\"decisions\":{}}".write(toFile: path, atomically: true, encoding: .utf8)
      let error = await #expect(throws: ExtensionError.self) {
        try await place.authority.request("network", reason: "", for: place.process.caller)
      }
      #expect(error?.code == .storeFailed)
      #expect(!place.authority.isAnswering(place.process.caller) {})
      // The question was asked, and is not asked again.
      #expect(try await place.authority.request("network", reason: "", for: place.process.caller) == .undecided)
    }
  }

  @Test func `is forgotten with its answers and what was granted for it alone, and nothing of another's`() async throws
  {
    let answers = Mutex<[Consent.Answer]>([])
    let consent = Consent.ask { _ in answers.withLock { $0.isEmpty ? .dismissed : $0.removeFirst() } }
    try await withProcess(consent: consent) { place in
      let (authority, one) = (place.authority, place.process.caller)
      let two = Caller(identity: one.identity, instance: one.instance + 1_000_000, process: one.process)
      answers.withLock { $0 = [.grantedOnce, .granted] }
      #expect(try await authority.request("network", reason: "", for: one) == .granted)
      #expect(authority.state(of: "network", for: one.identity) == .undecided, "of no run in particular")
      #expect(place.refusal("network") == nil && authority.isPassing("network", for: one.identity.id))
      #expect(try await authority.request("network", reason: "", for: two) == .granted)
      #expect(authority.state(of: "network", for: one.identity) == .granted)
      #expect(authority.isAnswering(two) {} && !authority.isAnswering(one) {})
      authority.forget(one)
      #expect(authority.isAnswering(two) {})
      authority.forget(two)
      #expect(!authority.isAnswering(two) {})
      try await place.decide(Self.network, .undecided)
      answers.withLock { $0 = [.grantedOnce, .denied] }
      #expect(try await authority.request("network", reason: "", for: two) == .granted)
      authority.forget(one)
      #expect(authority.isPassing("network", for: one.identity.id))
      authority.forget(two)
      #expect(!authority.isPassing("network", for: one.identity.id))
      #expect(try await authority.request("network", reason: "", for: two) == .denied, "asked again")
    }
  }

  @Test func `keeps what was granted for it alone when another run of it is granted the same, and when that ends`()
    async throws
  {
    try await withProcess(consent: .ask { _ in .grantedOnce }) { place in
      let (authority, one) = (place.authority, place.process.caller)
      let two = Caller(identity: one.identity, instance: one.instance + 1_000_000, process: one.process)
      for caller in [one, two, one] {
        #expect(try await authority.request("network", reason: "", for: caller) == .granted)
        #expect(place.refusal("network") == nil)
      }
      authority.forget(two)
      #expect(place.refusal("network") == nil && authority.isPassing("network", for: one.identity.id))
      #expect(try await authority.request("network", reason: "", for: two) == .granted, "asked again")
      try await place.decide(Self.network, .undecided)
      #expect(place.refusal("network") != nil && !authority.isPassing("network", for: one.identity.id))
      #expect(try await authority.request("network", reason: "", for: two) == .undecided)
    }
  }

  // MARK: App groups

  /// The standard library calls the sign of Kelvin a K; a folder and a store do not.
  @Test func `has the app groups of its manifest by their bytes`() async throws {
    try await Stage().withPeer(PeerProbe(), identity: .testing(groups: ["group.Kit"])) { process in
      try process.caller.require(group: "group.Kit")
      for group in ["group.\u{212A}it", "group.kit"] {
        let error = #expect(throws: ExtensionError.self) { try process.caller.require(group: group) }
        #expect(error?.code == .groupNotEntitled && !process.caller.isEntitled(toGroup: group))
      }
    }
  }

  @Test func `has the app groups of its manifest, and another app's only when its user said so at the start`()
    async throws
  {
    let group = AskedPermission("group", scope: ["group.asked"])
    let identity = Caller.Identity.testing(groups: ["group.own", "group.asked"])
    for (state, told) in [(nil, "undecided"), (.denied, "denied")] as [(PermissionState?, String)] {
      let folder = try TestFolder()
      defer { folder.remove() }
      let authority = PermissionAuthority(state: folder.state)
      try await authority.claims.claim(["group.asked"], for: "org.other", in: ExtensionRegistry(RegistrySources()))
      if let state { try await authority.decide(group, state, for: identity.id) }
      try await Stage(permissions: authority).withPeer(PeerProbe(), identity: identity) { process in
        try process.caller.require(group: "group.own")
        #expect(process.caller.isEntitled(toGroup: "group.own") && !process.caller.isEntitled(toGroup: "group.asked"))
        // What the user says later is for the next process.
        try await authority.decide(group, .granted, for: identity.id)
        let asked = #expect(throws: ExtensionError.self) { try process.caller.require(group: "group.asked") }
        #expect(asked?.code == .permissionDenied && asked?.details["state"] == .string(told))
        #expect(asked?.details["group"] == "group.asked" && asked?.details["permission"] == "group")
        let other = #expect(throws: ExtensionError.self) { try process.caller.require(group: "group.other") }
        #expect(other?.code == .groupNotEntitled && other?.details == ["group": "group.other"])
      }
    }
  }
}

/// What a service knows of a process, and keeps for as long as that runs.
@Suite(.timeLimit(.minutes(1)))
struct `What is known of a process` {
  @Test func `is worked out once, until it is forgotten or there are 4,096 of them`() async throws {
    try await Stage().withPeer(PeerProbe()) { process in
      func caller(_ number: UInt64) -> Caller {
        Caller(identity: .testing(id: "com.example.e\(number)"), instance: number, process: process)
      }
      let made = Mutex<[String]>([])
      let known = KnownByProcess { identity in
        made.withLock {
          $0.append(identity.id)
          return "\($0.count) \(identity.id)"
        }
      }
      for _ in 0..<2 {
        #expect(known[caller(1)] == "1 com.example.e1" && known[caller(2)] == "2 com.example.e2")
      }
      known.forget(caller(1))
      known.forget(caller(9))
      #expect(known[caller(1)] == "3 com.example.e1" && known[caller(2)] == "2 com.example.e2")
      for number in 3...4_096 { #expect(known[caller(UInt64(number))] == "\(number + 1) com.example.e\(number)") }
      // As many as there may be: all of them are known still.
      #expect(known[caller(2)] == "2 com.example.e2" && known[caller(4_096)] == "4097 com.example.e4096")
      #expect(known[caller(4_097)] == "4098 com.example.e4097" && known[caller(2)] == "4099 com.example.e2")
      #expect(known[caller(4_097)] == "4098 com.example.e4097")
    }
  }
}
