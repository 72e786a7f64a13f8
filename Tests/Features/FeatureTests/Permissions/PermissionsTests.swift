import AppExtensions
import EventLoop
import ExtensionHosting
import Foundation
import HostServices
import Synchronization
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A permission` {
  static let network = AskedPermission("network", scope: ["api.example.com"])
  static let identity = Caller.Identity.testing(permissions: [network])

  /// A user who gives one answer and remembers the questions.
  private final class User: Sendable {
    private let kept = Mutex<[PermissionQuestion]>([])
    var questions: [PermissionQuestion] { kept.withLock { $0 } }
    func asker(_ answer: Consent.Answer) -> Consent {
      .ask { question in
        self.kept.withLock { $0.append(question) }
        return answer
      }
    }
  }

  private func request(
    _ authority: PermissionAuthority, as identity: Caller.Identity = Self.identity, _ name: String = "network",
    times: Int = 1
  ) async throws -> [PermissionState] {
    let host = TestHost(services: [PermissionService(authority)], permissions: authority)
    return try await host.inWidget(as: identity) { context in
      var states: [PermissionState] = []
      for _ in 0..<times { states.append(try await context.requestPermission(name, reason: "To look.\u{1B}[2J")) }
      return states
    }
  }

  @Test(
    arguments: [(.granted, .granted), (.denied, .denied), (.dismissed, .undecided)]
      as [(Consent.Answer, PermissionState)])
  func `is what the user answers, and what an answer says is kept`(
    answer: Consent.Answer, state: PermissionState
  ) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(answer))
    #expect(try await request(authority) == [state])
    #expect(user.questions.map(\.permission) == [.network])
    #expect(user.questions.first?.scope == ["api.example.com"])
    #expect(PermissionAuthority(state: folder.state).state(of: "network", for: Self.identity) == state)
  }

  @Test func `is asked for once in a process, and again in the next`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.dismissed))
    #expect(try await request(authority, times: 3) == [.undecided, .undecided, .undecided])
    #expect(user.questions.count == 1)
    _ = try await request(authority)
    #expect(user.questions.count == 2)
  }

  @Test func `that was denied is not asked for again, in this process or the next`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.denied))
    for _ in 0..<2 { #expect(try await request(authority, times: 2) == [.denied, .denied]) }
    #expect(user.questions.count == 1)
  }

  @Test func `is not asked for again because another process has ended`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.dismissed))
    let host = TestHost(services: [PermissionService(authority)], permissions: authority)
    try await host.inWidget(as: Self.identity) { context in
      _ = try await context.requestPermission("network", reason: "first")
      try await host.inWidget(as: Self.identity) { _ = try await $0.requestPermission("network", reason: "second") }
      _ = try await context.requestPermission("network", reason: "third")
    }
    #expect(user.questions.map(\.reason) == ["first", "second"])
  }

  @Test func `is asked for with a reason of at most 200 characters`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.dismissed))
    let host = TestHost(services: [PermissionService(authority)], permissions: authority)
    for count in [200, 201] {
      try await host.inWidget(as: Self.identity) {
        _ = try await $0.requestPermission("network", reason: String(repeating: "é", count: count))
      }
    }
    #expect(user.questions.map(\.reason.count) == [200, 200])
  }

  @Test func `is asked for with no more accents than characters`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.dismissed))
    let host = TestHost(services: [PermissionService(authority)], permissions: authority)
    try await host.inWidget(as: Self.identity) {
      _ = try await $0.requestPermission("network", reason: "e" + String(repeating: "\u{301}", count: 10_000))
    }
    #expect(user.questions.map(\.reason.unicodeScalars.count) == [200])
  }

  @Test(arguments: [(.ask(nil), .undecided), (.grant, .granted), (.deny, .denied)] as [(Consent, PermissionState)])
  func `follows the configuration where nobody can be asked, and nothing is kept then`(
    consent: Consent, state: PermissionState
  ) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    #expect(try await request(PermissionAuthority(state: folder.state, consent: consent)) == [state])
    #expect(PermissionAuthority(state: folder.state).state(of: "network", for: Self.identity) == .undecided)
  }

  @Test func `that the manifest does not ask for is denied, and so is a request for it`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let user = User()
    let authority = PermissionAuthority(state: folder.state, consent: user.asker(.granted))
    let caught = await #expect(throws: ExtensionError.self) { try await request(authority, "jit") }
    #expect(caught?.code == .permissionDenied)
    #expect(caught?.recovery?.contains("Annex.Entitlements") == true)
    let unknown = await #expect(throws: ExtensionError.self) { try await request(authority, "camera") }
    #expect(unknown?.code == .invalidParams)
    #expect(user.questions.isEmpty)
  }

  @Test func `is what the handshake says, beside the entitlements`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    try await authority.decide(AskedPermission("jit"), .denied, for: Self.identity.id)
    let identity = Caller.Identity.testing(
      entitlements: ["content", "jit"], permissions: [Self.network, AskedPermission("jit")])
    let host = TestHost(services: [], permissions: authority)
    let seen = try await host.inWidget(as: identity) { context in
      (context.host?.permissions, context.permissions.state(of: "network"), context.permissions.state(of: "camera"))
    }
    #expect(seen.0 == ["content": "granted", "jit": "denied", "network": "undecided"])
    #expect(seen.1 == .undecided)
    #expect(seen.2 == .denied)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A decision` {
  private static let id = "com.example.test.extension"
  private static let network = AskedPermission("network", scope: ["a.example", "b.example"])
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func withFolder(_ body: (PermissionAuthority, String) async throws -> Void) async throws {
    defer { folder.remove() }
    try await body(PermissionAuthority(state: folder.state), "\(folder.path)/permissions.json")
  }

  @Test func `holds in every host on the same state, at once`() async throws {
    try await withFolder { one, _ in
      let other = PermissionAuthority(state: folder.state)
      for state in [PermissionState.granted, .denied, .undecided, .granted] {
        try await one.decide(Self.network, state, for: Self.id)
        #expect(other.state(of: Self.network, for: Self.id) == state)
        #expect(other.state(of: Self.network, for: "com.example.other") == .undecided)
      }
    }
  }

  @Test func `for less than a new version asks for leaves it undecided, and a refusal stays one`() async throws {
    try await withFolder { authority, _ in
      try await authority.decide(Self.network, .granted, for: Self.id)
      let fewer = AskedPermission("network", scope: ["b.example"])
      let more = AskedPermission("network", scope: ["a.example", "b.example", "c.example"])
      #expect(authority.state(of: fewer, for: Self.id) == .granted)
      #expect(authority.state(of: more, for: Self.id) == .undecided)
      #expect(authority.state(of: AskedPermission("jit"), for: Self.id) == .undecided)
      try await authority.decide(fewer, .denied, for: Self.id)
      #expect(authority.state(of: more, for: Self.id) == .denied)
    }
  }

  @Test func `is not lost among others that are made at the same time`() async throws {
    try await withFolder { _, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            let authority = PermissionAuthority(state: folder.state)
            try await authority.decide(Self.network, .granted, for: "com.example.extension\(number)")
          }
        }
        try await group.waitForAll()
      }
      let authority = PermissionAuthority(state: folder.state)
      for number in 0..<24 { #expect(authority.decided(for: "com.example.extension\(number)") == ["network"]) }
    }
  }

  @Test(arguments: ["", "{", "[]", "null", "{\"format\":1}", "{\"format\":1,\"decisions\":{\"a\":{\"network\":true}}}"])
  func `in a broken record is gone, and the record is set aside and reported`(text: String) async throws {
    try await withFolder { _, path in
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let log = KeptLog()
      let authority = PermissionAuthority(state: folder.state, log: log)
      #expect(authority.state(of: Self.network, for: Self.id) == .undecided)
      #expect(log.lines.map(\.level) == [.error])
      #expect(!FileManager.default.fileExists(atPath: path))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let aside = try #require(names.first { $0.contains("damaged") })
      #expect(try String(contentsOfFile: "\(folder.path)/\(aside)", encoding: .utf8) == text)
      #expect(log.lines.first?.message.contains(aside) == true)
      try await authority.decide(Self.network, .granted, for: Self.id)
      #expect(authority.state(of: Self.network, for: Self.id) == .granted)
      #expect(log.lines.count == 1)
    }
  }

  @Test func `in a record of a later format is left alone, and nothing counts as granted`() async throws {
    try await withFolder { authority, path in
      let text = "{\"format\":2,\"decisions\":{}}"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(authority.state(of: Self.network, for: Self.id) == .undecided)
      let caught = await #expect(throws: ExtensionError.self) {
        try await authority.decide(Self.network, .granted, for: Self.id)
      }
      #expect(caught?.code == .storeFailed)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func `in what is no file is refused without being read`() async throws {
    try await withFolder { authority, path in
      #expect(mkfifo(path, 0o600) == 0)
      #expect(authority.state(of: Self.network, for: Self.id) == .undecided)
      await #expect(throws: ExtensionError.self) { try await authority.decide(Self.network, .granted, for: Self.id) }
    }
  }
}
