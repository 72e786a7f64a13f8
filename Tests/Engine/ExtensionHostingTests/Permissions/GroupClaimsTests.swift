import ExtensionProtocol
import Foundation
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `An app group` {
  private static let group = "group.com.example.notes"
  private let folder: TemporaryFolder
  private var state: StateDirectory { StateDirectory(path: "\(folder.path)/state") }
  private var claims: GroupClaims { GroupClaims(state: state, log: NoLog()) }

  init() throws { folder = try TemporaryFolder() }

  /// A registry of apps that name the group, but for one that does not.
  private func registry(
    _ apps: String..., ignoring ignored: String? = nil, butFor exception: String? = nil
  ) throws -> ExtensionRegistry {
    try folder.writeExecutable("products/app")
    for app in apps {
      let group = app == exception ? "group.another" : Self.group
      let text = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(app)</string>
        <key>CFBundleExecutable</key><string>app</string><key>CFBundlePackageType</key><string>APPL</string>
        <key>CFBundleVersion</key><string>1</string>
        <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
        <array><string>\(group)</string></array></dict></dict></plist>
        """
      try folder.write("Manifests/\(app).plist", text.utf8)
    }
    return ExtensionRegistry(
      RegistrySources(
        manifestFolders: [.init(path: "\(folder.path)/Manifests", products: "\(folder.path)/products")],
        elections: ignored.map { [$0: .ignore] } ?? [:]))
  }

  @Test func `belongs to the app that claimed it first, for every host and ever after`() async throws {
    let registry = try registry("com.example.one", "org.other")
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [])
    try await claims.claim([Self.group], for: "com.example.one", in: registry)
    try await claims.claim([Self.group], for: "org.other", in: registry)
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [Self.group])
    #expect(try claims.foreign([Self.group], to: "com.example.one", in: registry) == [])
    // The app itself may be gone.
    try FileManager.default.removeItem(atPath: "\(folder.path)/Manifests/com.example.one.plist")
    #expect(try claims.foreign([Self.group], to: "org.other", in: try self.registry()) == [Self.group])
  }

  @Test func `belongs to the app after which it is named, when that is there and nobody has claimed it`() async throws {
    let registry = try registry("com.example", "com.example.notes", "com.example.not", "org.other")
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [Self.group])
    try await claims.claim([Self.group], for: "org.other", in: registry)
    #expect(try claims.owner(of: Self.group) == "com.example.notes")
  }

  @Test func `is not that of an app whose name begins alike, and of two namesakes it is the closer one's`() async throws
  {
    let shared = ["group.com.example.notes"]
    var registry = try registry("com.example.not", "com.example.note", "org.other")
    #expect(try claims.foreign(shared, to: "org.other", in: registry) == [])
    registry = try self.registry("com.example.notes", "com")
    #expect(try claims.foreign(shared, to: "com", in: registry) == shared)
    #expect(try claims.foreign(shared, to: "com.example.notes", in: registry) == [])
  }

  @Test func `is not kept by an app that its user ignores, unless it has claimed it`() async throws {
    let registry = try registry("com.example.notes", "org.other", ignoring: "com.example.notes")
    #expect(registry.entries.map(\.state).contains(.ignored))
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [])
    try await claims.claim([Self.group], for: "com.example.notes", in: registry)
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [Self.group])
  }

  @Test func `that an ignored app is named after is claimed by the one that starts`() async throws {
    let registry = try registry("com.example.notes", "org.other", ignoring: "com.example.notes")
    try await claims.claim([Self.group], for: "org.other", in: registry)
    #expect(try claims.owner(of: Self.group) == "org.other")
  }

  @Test func `stays with its owner when another app claims it beside one that nobody has`() async throws {
    let registry = try registry()
    let others = "group.org.other"
    try await claims.claim([Self.group], for: "com.example.one", in: registry)
    try await claims.claim([others, Self.group], for: "org.other", in: registry)
    #expect(try claims.owner(of: Self.group) == "com.example.one")
    #expect(try claims.owner(of: others) == "org.other")
    #expect(try claims.foreign([others, Self.group], to: "org.other", in: registry) == [Self.group])
  }

  @Test func `is claimed once by many at the same time`() async throws {
    let registry = try registry()
    let owners = try await withThrowingTaskGroup(of: String?.self) { tasks in
      for number in 0..<16 {
        tasks.addTask {
          let claims = GroupClaims(state: state, log: NoLog())
          try await claims.claim([Self.group], for: "com.example.app\(number)", in: registry)
          return try claims.owner(of: Self.group)
        }
      }
      return try await tasks.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(owners.count == 1 && !owners.contains(nil))
  }

  @Test(arguments: ["", "{", "{\"format\":1}", "{\"format\":2,\"claims\":{}}"])
  func `is nobody's to take when the record is damaged or of a later format`(text: String) async throws {
    try folder.write("state/groups.json", text.utf8)
    let registry = try registry()
    #expect(throws: ExtensionError.self) { try claims.foreign([Self.group], to: "org.other", in: registry) }
    await #expect(throws: ExtensionError.self) {
      try await claims.claim([Self.group], for: "org.other", in: registry)
    }
    #expect(try String(contentsOfFile: "\(folder.path)/state/groups.json", encoding: .utf8) == text)
    // What has no groups is not concerned.
    #expect(try claims.foreign([], to: "org.other", in: registry) == [])
  }

  private func target(_ app: String) -> LaunchTarget {
    LaunchTarget(
      identity: Caller.Identity(
        id: "\(app).extension", version: nil, displayName: "E", point: .clock, containingApp: app,
        groups: [Self.group], entitlements: []), executable: "/none")
  }

  @Test func `of another app is a permission with the group as its part`() async throws {
    let authority = PermissionAuthority(state: state)
    let registry = try registry()
    let owner = try await authority.settle(target("com.example.one"), in: registry)
    #expect(owner.identity.groups == [Self.group] && owner.identity.permissions.isEmpty)
    let other = try await authority.settle(target("org.other"), in: registry)
    let asked = AskedPermission("group", scope: [Self.group])
    #expect(other.identity.groups.isEmpty && other.identity.permissions == [asked])
    #expect(other.permissions == ["group": .undecided])
    for (state, groups) in [(PermissionState.granted, [Self.group]), (.denied, []), (.undecided, [])] {
      try await authority.decide(asked, state, for: "org.other.extension")
      let settled = try await authority.settle(target("org.other"), in: registry)
      #expect(settled.identity.groups == groups && settled.permissions == ["group": state])
    }
  }

  @Test func `is not that of an app that is named like it, and does not name it`() async throws {
    let registry = try registry("com.example.notes", "org.other", butFor: "com.example.notes")
    #expect(try claims.foreign([Self.group], to: "org.other", in: registry) == [])
    try await claims.claim([Self.group], for: "org.other", in: registry)
    #expect(try claims.owner(of: Self.group) == "org.other")
  }

  /// The standard library calls the sign of Kelvin a K; a folder and a store do not.
  @Test func `is that of its bytes, also where another name reads the same`() throws {
    let identity = Caller.Identity(
      id: "com.example.kit.clock", version: nil, displayName: "Clock", point: .clock, containingApp: "com.example.kit",
      groups: ["group.com.example.Kit"], entitlements: [])
    let authority = PermissionAuthority(state: state)
    let registry = ExtensionRegistry(RegistrySources())
    #expect(authority.refusal(ofGroup: "group.com.example.Kit", to: identity, in: registry) == nil)
    for group in ["group.com.example.\u{212A}it", "group.com.example.kit", ""] {
      #expect(authority.refusal(ofGroup: group, to: identity, in: registry)?.code == .groupNotEntitled, "\(group)")
    }
  }

  @Test func `is asked for and refused by its first claim and by what the user says`() async throws {
    let authority = PermissionAuthority(state: state)
    let registry = try registry("com.example.one", "org.other")
    func entry(_ app: String) throws -> RegistryEntry {
      try #require(registry.entries.first { $0.identifier == app })
    }
    for app in ["com.example.one", "org.other"] { try await authority.claimGroups(of: entry(app), in: registry) }
    #expect(try claims.owner(of: Self.group) == "com.example.one")
    let asked = AskedPermission("group", scope: [Self.group])
    #expect(try authority.asked(by: entry("com.example.one"), in: registry) == [])
    #expect(try authority.asked(by: entry("org.other"), in: registry) == [asked])
    let (owner, other) = (target("com.example.one").identity, target("org.other").identity)
    #expect(authority.refusal(ofGroup: Self.group, to: owner, in: registry) == nil)
    for identity in [owner, other] {
      let none = authority.refusal(ofGroup: "group.unnamed", to: identity, in: registry)
      #expect(none?.code == .groupNotEntitled && none?.details == ["group": "group.unnamed"])
    }
    for (state, why) in [
      (nil, "about which the user has not decided"), (.denied, "which the user has denied"), (.granted, nil),
      (.undecided, "about which the user has not decided"),
    ] as [(PermissionState?, String?)] {
      if let state { try await authority.decide(asked, state, for: other.id) }
      let error = authority.refusal(ofGroup: Self.group, to: other, in: registry)
      guard let why else {
        #expect(error == nil)
        continue
      }
      #expect(error?.code == .permissionDenied && error?.message.hasSuffix("\(why).") == true)
      #expect(
        error?.details == [
          "group": .string(Self.group), "permission": "group", "state": .string((state ?? .undecided).rawValue),
          "extension": "org.other.extension",
        ])
    }
    try folder.write("state/groups.json", "{".utf8)
    let damaged = PermissionAuthority(state: state)
    #expect(damaged.refusal(ofGroup: Self.group, to: owner, in: registry)?.code == .storeFailed)
    #expect(throws: ExtensionError.self) { try damaged.asked(by: entry("org.other"), in: registry) }
    await #expect(throws: ExtensionError.self) { try await damaged.claimGroups(of: entry("org.other"), in: registry) }
  }

  @Test func `and every decision stay with the team of before, when another takes the name of the app`() async throws {
    let authority = PermissionAuthority(state: state)
    let registry = try registry("com.example.one", "org.other")
    let network = AskedPermission("network", scope: ["a.example"])
    // There is no record of groups to hand over yet, and none is made.
    try await authority.handOver([], of: "org.other", from: "one", to: "two")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/state/groups.json"))
    try await claims.claim([Self.group], for: "com.example.one", in: registry)
    for id in ["com.example.one", "com.example.one.clock"] { try await authority.decide(network, .granted, for: id) }
    try await authority.decide(network, .denied, for: "org.other")
    func states() -> [PermissionState] {
      ["com.example.one", "com.example.one.clock", "org.other"].map { authority.state(of: network, for: $0) }
    }
    let ids = ["com.example.one", "com.example.one.clock"]
    for _ in 0..<2 {
      try await authority.handOver(ids, of: "com.example.one", from: "one", to: "two")
      #expect(states() == [.undecided, .undecided, .denied])
      #expect(try claims.foreign([Self.group], to: "com.example.one", in: registry) == [Self.group])
      try await authority.handOver(ids, of: "com.example.one", from: "two", to: "one")
      #expect(states() == [.granted, .granted, .denied])
      #expect(try claims.foreign([Self.group], to: "com.example.one", in: registry) == [])
    }
  }
}
