import CLinux
import Glibc
import Sandbox
import SandboxTrials
import Testing

/// A temporary directory with a bundle, a scratch directory and the built programs, for one test.
final class Workshop: Sendable {
  /// Who runs the host in a test.
  enum Host: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case root
    case user

    /// Both where the tests run as root, else the one there is.
    static var available: [Host] { geteuid() == 0 ? [.root, .user] : [.user] }

    /// The user that the extension gets.
    var extensionUser: UInt32 { geteuid() == 0 ? (self == .root ? 71_001 : 71_002) : geteuid() }
    var extensionGroup: UInt32 { geteuid() == 0 ? extensionUser : getegid() }

    var identity: HostIdentity {
      self == .root ? HostIdentity(userID: 0, groupID: 0) : HostIdentity(userID: extensionUser, groupID: extensionGroup)
    }

    /// Turns the root that runs the tests into an ordinary user before the launcher starts.
    var wrapper: [String] {
      guard geteuid() == 0, self == .user else { return [] }
      return ["/usr/bin/setpriv", "--reuid=\(extensionUser)", "--regid=\(extensionGroup)", "--clear-groups"]
    }

    var testDescription: String { "host is \(rawValue)" }
  }

  let root: String
  let host: Host
  /// The start of a command that runs as the extension's user; empty where that is who runs the tests.
  var asUser: [String] {
    guard geteuid() == 0 else { return [] }
    let user = host.extensionUser
    return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--no-new-privs"]
  }
  var bundle: String { root + "/bundle" }
  var scratch: String { root + "/scratch" }

  init(host: Host = Host.available[0]) throws {
    self.host = host
    var template = Array("/tmp/annex-sandbox-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: \(errno)") }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard chmod(root, 0o755) == 0 else { throw Failure("chmod: \(errno)") }
    try makeDirectory(bundle, mode: 0o755)
    try makeDirectory(scratch, mode: 0o700)
    try give(scratch)
  }

  deinit {
    _ = try? Workshop.run(LaunchPlan.unsafeNoSandbox(executable: "/bin/rm", arguments: ["-rf", "--", root]))
  }

  func makeDirectory(_ path: String, mode: mode_t) throws {
    guard mkdir(path, mode) == 0, chmod(path, mode) == 0 else { throw Failure("mkdir \(path): \(errno)") }
  }

  /// Makes the extension's user the owner.
  func give(_ path: String) throws {
    guard geteuid() == 0 else { return }
    guard chown(path, host.extensionUser, host.extensionGroup) == 0 else { throw Failure("chown \(path): \(errno)") }
  }

  func write(_ text: String, to path: String, mode: mode_t) throws {
    try write(bytes: Array(text.utf8), to: path, mode: mode)
  }

  func write(bytes: [UInt8], to path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Failure("open \(path): \(errno)") }
    defer { Glibc.close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fchmod(descriptor, mode) == 0 else {
      throw Failure("write \(path): \(errno)")
    }
  }

  /// The first bytes of a file, nil when there are not as many.
  static func bytes(of path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(descriptor, &bytes, count) == count ? bytes : nil
  }

  /// The text of a file, nil when there is none.
  static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// The folder of the built programs: that of the running test.
  private static let built: String = {
    guard let program = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(program) }
    return String(cString: program).split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }()

  /// Where every user can start the programs that stand around a sandbox: the folder of the built programs, or a folder
  /// of copies for a tree that only root can reach.
  static let products = PublicPrograms.folder(
    ["extension-launcher", "sandbox-attempts", "FeatureDenier", "MutantLauncher", "StandInHost"], from: built)

  static var launcher: Launcher { Launcher(path: products + "/extension-launcher") }

  /// How long a probe may say nothing, in milliseconds: a busy machine is no missing layer.
  static let patience: Int32 = 50_000

  /// A copy of a built program in the bundle, by a hard link where possible.
  func install(_ program: String) throws -> String {
    let target = bundle + "/" + program
    if link(Self.built + "/" + program, target) == 0 || errno == EEXIST { return target }
    let result = try Self.run(
      LaunchPlan.unsafeNoSandbox(executable: "/bin/cp", arguments: ["--", Self.built + "/" + program, target]))
    guard result.exit == .exited(code: 0) else { throw Failure("cp \(program)") }
    return target
  }

  /// The policy of a program of the bundle.
  func policy(_ executable: String, arguments: [String] = []) -> SandboxPolicy {
    var policy = SandboxPolicy(
      executable: executable, scratch: scratch, userID: host.extensionUser, groupID: host.extensionGroup)
    policy.bundle = bundle
    policy.arguments = arguments
    return policy
  }

  func plan(_ policy: SandboxPolicy, tier: SandboxTier, wrapper: [String] = []) throws -> LaunchPlan {
    try LaunchPlan(
      policy: policy, capabilities: Self.capabilities(tier), launcher: Self.launcher, host: host.identity,
      wrapper: host.wrapper + wrapper)
  }

  static func capabilities(_ tier: SandboxTier) -> SandboxCapabilities {
    SandboxCapabilities(tier: tier, landlockVersion: UInt32(clinux_landlock_version()))
  }
}

/// What went wrong around a test, not in what it tests.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
