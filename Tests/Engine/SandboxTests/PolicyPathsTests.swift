import CLaunchPolicy
import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The paths of a policy` {
  private let directory = TemporaryDirectory()

  private var policy: SandboxPolicy {
    var policy = SandboxPolicy(
      executable: directory.file("program", ELFSample().bytes), scratch: directory.directory("scratch"),
      userID: geteuid(), groupID: getegid())
    policy.runtime = []
    return policy
  }

  /// What the policy gives of this test's own directory: name and right.
  private func given(_ change: (inout SandboxPolicy) -> Void) throws -> [String: UInt32] {
    var policy = policy
    change(&policy)
    let entries = try PolicyPaths(policy).entries
    #expect(entries.map(\.path.utf8.count) == entries.map(\.path.utf8.count).sorted(), "what holds others comes first")
    let own = entries.filter { $0.path.hasPrefix(directory.path + "/") }
    return Dictionary(uniqueKeysWithValues: own.map { (String($0.path.dropFirst(directory.path.count + 1)), $0.kind) })
  }

  @Test func `are the program to execute and the scratch directory to write`() throws {
    #expect(try given { _ in } == ["program": 2, "scratch": 3])
    let all = try PolicyPaths(policy).entries
    #expect(all.first { $0.path == "/dev/null" }?.kind == LAUNCH_PATH_DEVICE.rawValue)
    #expect(all.first { $0.path == "/dev/urandom" }?.kind == LAUNCH_PATH_DEVICE_READ.rawValue)
    #expect(try given { $0.bundle = directory.directory("bundle") } == ["bundle": 2, "scratch": 3])
  }

  @Test func `have the greater right where one is named twice, in either order`() throws {
    let place = directory.directory("place")
    let read = SandboxPolicy.Container(path: place, access: .readOnly)
    let write = SandboxPolicy.Container(path: place, access: .readWrite)
    #expect(try given { $0.containers = [read] }["place"] == 1)
    #expect(try given { $0.containers = [read, write] }["place"] == 3)
    #expect(try given { $0.containers = [write, read] }["place"] == 3)
    #expect(try given { $0.containers = [write, write, read] }["place"] == 3)
    #expect(try given { ($0.containers, $0.readOnlyPaths) = ([read], [place]) }["place"] == 2)
  }

  @Test func `have a link with its target where nothing that is shown has it already`() throws {
    let place = directory.directory("place")
    let file = directory.file("place/file", [1])
    directory.link("near", to: "place/file")
    directory.link("place/inner", to: "file")
    var policy = policy
    policy.readOnlyPaths = ["\(directory.path)/near", "\(directory.path)/near"]
    let entries = try PolicyPaths(policy).entries
    let links = entries.filter { $0.kind == LAUNCH_PATH_LINK.rawValue && $0.path.hasPrefix(directory.path) }
    #expect(links.map(\.path) == ["\(directory.path)/near"] && links.map(\.target) == ["place/file"])
    #expect(entries.first { $0.path == file }?.kind == 2)
    #expect(
      try given { $0.readOnlyPaths = ["\(directory.path)/place/inner"] }
        == ["program": 2, "scratch": 3, "place/inner": 6, "place/file": 2])
    #expect(
      try given { $0.readOnlyPaths = ["\(directory.path)/place/inner", place] }
        == ["program": 2, "scratch": 3, "place": 2, "place/file": 2])
  }

  @Test func `have to be there, but for those of the system`() throws {
    let none = "\(directory.path)/none"
    #expect(try given { $0.runtime = [none] } == ["program": 2, "scratch": 3])
    let changes: [(inout SandboxPolicy) -> Void] = [
      { $0.readOnlyPaths = [none] }, { $0.bundle = none }, { $0.executable = none }, { $0.scratch = none },
      { $0.containers = [.init(path: none, access: .readOnly)] },
      { $0.containers = [.init(path: none, access: .readWrite)] },
    ]
    for change in changes {
      var policy = policy
      change(&policy)
      let error = #expect(throws: SandboxError.self) { try PolicyPaths(policy) }
      #expect(error?.code == .policyInvalid && error?.message.hasPrefix(none) == true)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An encoded policy` {
  private let contents = LaunchPlan.Contents(
    facilities: [.seccomp, .limits], userID: 7, groupID: 8, landlockVersion: 3, executable: "/x",
    workingDirectory: "/s",
    arguments: ["/x"], environment: [], paths: [], limits: [(1, 0x1_0000_0002)])

  private func encoded(_ change: (inout LaunchPlan.Contents) -> Void) throws -> [UInt8] {
    var contents = contents
    change(&contents)
    return try PolicyEncoder.encode(contents)
  }

  private func header(_ bytes: [UInt8]) -> launch_policy {
    bytes.withUnsafeBytes { $0.loadUnaligned(as: launch_policy.self) }
  }

  private func word(_ bytes: [UInt8], _ offset: UInt32) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Int(offset), as: UInt32.self) }
  }

  private func text(_ bytes: [UInt8], _ offset: UInt32) -> String {
    String(decoding: bytes[Int(offset)...].prefix { $0 != 0 }, as: UTF8.self)
  }

  @Test func `keeps two spellings of one accent apart`() throws {
    let spellings = ["/\u{E9}", "/e\u{301}"]
    let bytes = try encoded { $0.arguments = spellings }
    for spelling in spellings {
      #expect(bytes.contains(Array(spelling.utf8) + [0]), "\(spelling.utf8.count) bytes")
    }
  }

  @Test func `says all that it was told, and each text once`() throws {
    let bytes = try encoded {
      $0.arguments = ["/x", "-ü", "/s"]
      $0.environment = ["A=b"]
      $0.paths = [.init(kind: 6, path: "/l", target: "/x"), .init(kind: 2, path: "/x")]
      $0.limits = [(1, 0x1_0000_0002), (7, 9)]
    }
    let header = header(bytes)
    #expect(header.magic == LAUNCH_POLICY_MAGIC && header.version == LAUNCH_POLICY_VERSION)
    #expect(header.length == bytes.count && header.user_id == 7 && header.group_id == 8 && header.landlock_abi == 3)
    #expect(header.facilities == SandboxFacilities([.seccomp, .limits]).rawValue)
    #expect(text(bytes, header.executable) == "/x" && text(bytes, header.working_directory) == "/s")
    #expect(header.argument_count == 3 && header.environment_count == 1 && header.path_count == 2)
    #expect(header.limit_count == 2)
    let arguments = (0..<3).map { word(bytes, header.arguments + 4 * $0) }
    #expect(arguments.map { text(bytes, $0) } == ["/x", "-ü", "/s"])
    #expect(arguments[0] == header.executable && arguments[2] == header.working_directory)
    #expect(text(bytes, word(bytes, header.environment)) == "A=b")
    let paths = (0..<6).map { word(bytes, header.paths + 4 * $0) }
    #expect(paths[0] == 6 && text(bytes, paths[1]) == "/l" && paths[2] == header.executable)
    #expect(paths[3] == 2 && paths[4] == header.executable && paths[5] == 0)
    let limits = (0..<8).map { word(bytes, header.limits + 4 * $0) }
    #expect(limits == [1, 0, 2, 1, 7, 0, 9, 0] && header.limits % 8 == 0)
  }

  @Test func `holds 1,024 of each and 1 MiB at most`() throws {
    let texts = (0..<1_025).map { "\($0)" }
    let paths = texts.map { PolicyPaths.Entry(kind: 1, path: "/\($0)") }
    let changes: [(inout LaunchPlan.Contents, Int) -> Void] = [
      { $0.arguments = Array(texts.prefix($1)) }, { $0.environment = Array(texts.prefix($1)) },
      { $0.paths = Array(paths.prefix($1)) },
    ]
    for change in changes {
      #expect(try encoded { change(&$0, 1_024) }.count > 0)
      let error = #expect(throws: SandboxError.self) { try encoded { change(&$0, 1_025) } }
      #expect(error?.code == .policyInvalid)
    }
    let rest = (1 << 20) - (try encoded { $0.arguments = ["/x", "a"] }).count
    let most = String(repeating: "a", count: rest + 1)
    #expect(try encoded { $0.arguments = ["/x", most] }.count == 1 << 20)
    #expect(throws: SandboxError.self) { try encoded { $0.arguments = ["/x", most + "a"] } }
  }

  @Test func `holds no zero byte in a text`() {
    let changes: [(inout LaunchPlan.Contents) -> Void] = [
      { $0.executable = "/x\0" }, { $0.workingDirectory = "/s\0" }, { $0.arguments = ["a\0b"] },
      { $0.environment = ["A=\0"] }, { $0.paths = [.init(kind: 1, path: "/\0")] },
      { $0.paths = [.init(kind: 6, path: "/l", target: "\0")] },
    ]
    for change in changes {
      let error = #expect(throws: SandboxError.self) { try encoded(change) }
      #expect(error?.code == .policyInvalid)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A plan of a launch` {
  private let directory = TemporaryDirectory()

  private func header(
    _ capabilities: SandboxCapabilities, host: HostIdentity, group: ControlGroup? = nil,
    _ change: (inout SandboxPolicy) -> Void = { _ in }
  ) throws -> launch_policy {
    var policy = SandboxPolicy(
      executable: directory.file("program", ELFSample().bytes), scratch: directory.directory("scratch", mode: 0o700),
      userID: host.isRoot ? 4_711 : geteuid(), groupID: host.isRoot ? 4_712 : getegid())
    if host.isRoot { chown(policy.scratch, policy.userID, policy.groupID) }
    change(&policy)
    let plan = try LaunchPlan(
      policy: policy, capabilities: capabilities, launcher: Launcher(path: "/launcher"), host: host, group: group)
    #expect(plan.command.program == "/launcher" && plan.command.arguments == ["/launcher"] && plan.group == group)
    guard case .sandboxed(let bytes) = plan.mode else {
      Issue.record("the plan has no sandbox")
      return launch_policy()
    }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: launch_policy.self) }
  }

  @Test func `waits for its control group and may generate code only where it is told so`() throws {
    let host = HostIdentity(userID: geteuid(), groupID: getegid())
    let found = SandboxCapabilities(tier: .full, landlockVersion: 7)
    func facilities(group: ControlGroup? = nil, generatedCode: Bool = false) throws -> SandboxFacilities {
      SandboxFacilities(
        rawValue: try header(found, host: host, group: group) { $0.generatedCode = generatedCode }.facilities)
    }
    let plain = try facilities()
    #expect(plain == found.facilities(for: host) && plain.isDisjoint(with: [.admission, .generatedCode]))
    #expect(try facilities(group: ControlGroup(path: "/g", version: .two)) == plain.union(.admission))
    #expect(try facilities(generatedCode: true) == plain.union(.generatedCode))
  }

  @Test func `bounds processes only where the kernel counts those of the extension`() throws {
    // Ten limits hold for every sandbox; the eleventh is that of processes.
    let host = HostIdentity(userID: geteuid(), groupID: getegid(), isRoot: false)
    let full = SandboxCapabilities(tier: .full, landlockVersion: 7)
    let light = SandboxCapabilities(tier: .light, landlockVersion: 7)
    #expect(try header(full, host: host).limit_count == 11 && header(light, host: host).limit_count == 10)
    // A root that may give nothing away starts extensions as nobody.
    let user = geteuid() == 0 ? 65_534 : geteuid()
    #expect(try header(full, host: host).user_id == user)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a directory away"))
  func `of a root starts an extension as its own user`() throws {
    let root = HostIdentity(userID: 0, groupID: 0, isRoot: true)
    let plan = try header(SandboxCapabilities(tier: .light, landlockVersion: 7), host: root)
    #expect(plan.user_id == 4_711 && plan.group_id == 4_712 && plan.landlock_abi == 7 && plan.limit_count == 11)
  }
}
