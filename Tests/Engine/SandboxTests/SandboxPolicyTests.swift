import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A sandbox policy` {
  private static let user: UInt32 = 4_711
  private static let host = HostIdentity(userID: geteuid(), groupID: getegid())

  /// A bundle and a scratch directory as they should be, and a policy for them.
  private final class Site: Sendable {
    let directory = TemporaryDirectory()
    let bundle: String
    let program: String
    let scratch: String

    init() {
      bundle = directory.directory("bundle")
      program = directory.file("bundle/program", ELFSample().bytes)
      scratch = directory.directory("scratch", mode: 0o700)
      if geteuid() == 0 { chown(scratch, user, user) }
    }

    var policy: SandboxPolicy {
      let isRoot = geteuid() == 0
      var policy = SandboxPolicy(
        executable: program, scratch: scratch, userID: isRoot ? user : geteuid(), groupID: isRoot ? user : getegid())
      policy.bundle = bundle
      return policy
    }
  }

  private func refusal(_ change: (Site, inout SandboxPolicy) -> Void) -> SandboxError.Code? {
    let site = Site()
    var policy = site.policy
    change(site, &policy)
    do throws(SandboxError) {
      try policy.validate(host: Self.host)
      return nil
    } catch {
      #expect(!error.message.isEmpty && error.recovery.hasSuffix("."))
      return error.code
    }
  }

  @Test func `is accepted when all is in order`() {
    #expect(refusal { _, _ in } == nil)
    #expect(refusal { _, policy in policy.bundle = nil } == nil)
  }

  @Test(arguments: [
    "/", "/home", "/root", "/etc", "/tmp", "/var", "/usr/..", "/proc", "/proc/self", "/sys", "/sys/kernel", "/dev",
    "/dev/mem", "/run", "relative/path", "", "/usr//lib", "/usr/./lib", "/nul\0byte",
  ])
  func `grants nothing of the system or of others`(path: String) {
    #expect(refusal { $1.readOnlyPaths = [path] } == .policyInvalid)
    #expect(refusal { $1.containers = [.init(path: path, access: .readOnly)] } == .policyInvalid)
    #expect(refusal { $1.containers = [.init(path: path, access: .readWrite)] } == .policyInvalid)
    #expect(refusal { $1.scratch = path } == .policyInvalid)
  }

  @Test func `grants neither the host's state nor what is above it`() {
    #expect(
      refusal {
        $1.protectedPaths = [$0.directory.path]
        $1.readOnlyPaths = [$0.directory.path]
      } == .policyInvalid)
    #expect(
      refusal {
        $1.protectedPaths = [$0.directory.path + "/x"]
        $1.readOnlyPaths = [$0.directory.path]
      } == .policyInvalid)
    // What lies below is the point of the state.
    #expect(refusal { site, policy in policy.protectedPaths = [site.directory.path] } == nil)
  }

  @Test func `does not follow a link to what it may not grant`() {
    #expect(refusal { $1.readOnlyPaths = [$0.directory.link("home", to: "/home")] } == .policyInvalid)
    #expect(refusal { $1.readOnlyPaths = [$0.directory.link("proc", to: "/proc/self")] } == .policyInvalid)
  }

  @Test(arguments: [0o4755, 0o2755, 0o775, 0o757, 0o644] as [mode_t])
  func `refuses an executable by its mode`(mode: mode_t) {
    #expect(refusal { site, _ in chmod(site.program, mode) } == .bundleInvalid)
  }

  @Test func `refuses a bundle that others can change`() {
    #expect(refusal { site, _ in chmod(site.bundle, 0o777) } == .bundleInvalid)
    #expect(refusal { site, _ in chmod(site.bundle, 0o775) } == .bundleInvalid)
    // A mark at the beginning of a name does not hide the slash before it.
    for name in ["x", "\u{301}x"] {
      for (mode, code) in [(0o755, nil), (0o775, .bundleInvalid)] as [(mode_t, SandboxError.Code?)] {
        #expect(
          refusal { site, policy in
            site.directory.directory("bundle/open", mode: mode)
            site.directory.directory("bundle/open/\(name)")
            policy.executable = site.directory.file("bundle/open/\(name)/program", ELFSample().bytes)
          } == code)
      }
    }
  }

  @Test func `refuses an executable that is not where it says`() {
    #expect(refusal { $1.executable = $0.bundle + "/missing" } == .bundleInvalid)
    #expect(refusal { $1.executable = $0.bundle } == .bundleInvalid)
    #expect(refusal { $1.executable = $0.directory.file("outside", ELFSample().bytes) } == .bundleInvalid)
    #expect(refusal { $1.executable = $0.directory.link("bundle/link", to: $0.program) } == .bundleInvalid)
    #expect(
      refusal { site, policy in
        policy.bundle = site.directory.link("other", to: site.bundle)
        policy.executable = site.directory.path + "/other/program"
      } == .bundleInvalid)
  }

  @Test(arguments: [
    [], Array("hello".utf8), Array("#!".utf8), Array("#!python\n".utf8), Array("#!/usr/bin/env python3\n".utf8),
    Array("#!/bin/sh\n".utf8), ELFSample(machine: 243).bytes, Array(ELFSample().bytes.prefix(20)),
  ])
  func `refuses what is no program for this machine`(bytes: [UInt8]) {
    #expect(refusal { $1.executable = $0.directory.file("bundle/other", bytes) } == .bundleInvalid)
  }

  @Test(arguments: [ELFSample(rights: 7), ELFSample(excess: 4096), ELFSample(stack: 7)])
  func `refuses a program that could write its own code, unless it may generate code`(sample: ELFSample) {
    #expect(refusal { $1.executable = $0.directory.file("bundle/other", sample.bytes) } == .bundleInvalid)
    #expect(
      refusal { site, policy in
        policy.executable = site.directory.file("bundle/other", sample.bytes)
        policy.generatedCode = true
      } == nil)
    let loader = ELFSample(interpreter: nil, rights: sample.rights, excess: sample.excess, stack: sample.stack)
    #expect(
      refusal { site, policy in
        let path = site.directory.file("bundle/loader", loader.bytes)
        policy.executable = site.directory.file("bundle/other", ELFSample(interpreter: path).bytes)
      } == .bundleInvalid)
  }

  @Test func `accepts a script whose interpreter is given`() {
    #expect(
      refusal { site, policy in
        policy.executable = site.directory.file("bundle/script", Array("#! /bin/sh -e\n".utf8))
        policy.readOnlyPaths = ["/bin/sh"]
      } == nil)
  }

  @Test func `refuses a script whose interpreter could write its own code, unless it may generate code`() {
    for mayGenerate in [false, true] {
      let code = refusal { site, policy in
        let interpreter = site.directory.file("bundle/interpreter", ELFSample(rights: 7).bytes)
        policy.executable = site.directory.file("bundle/script", Array("#!\(interpreter)\n".utf8))
        policy.readOnlyPaths = [interpreter]
        policy.generatedCode = mayGenerate
      }
      #expect(code == (mayGenerate ? nil : .bundleInvalid))
    }
  }

  @Test func `keeps what is written apart from what is executed`() {
    #expect(
      refusal { site, policy in
        policy.scratch = site.directory.directory("bundle/scratch")
        chown(policy.scratch, policy.userID, policy.groupID)
      } == .containerInvalid)
    #expect(refusal { $1.containers = [.init(path: $0.directory.path, access: .readWrite)] } == .containerInvalid)
    #expect(refusal { $1.readOnlyPaths = [$0.scratch] } == .containerInvalid)
  }

  @Test func `keeps what is written apart from what is executed through a link`() {
    #expect(
      refusal { site, policy in
        let file = site.directory.file("scratch/file", ELFSample().bytes)
        policy.readOnlyPaths = [site.directory.link("link", to: file)]
      } == .containerInvalid)
    #expect(refusal { $1.readOnlyPaths = [$0.directory.link("link", to: $0.program)] } == nil)
  }

  @Test func `refuses a scratch directory that is none of its own`() {
    #expect(refusal { $1.scratch = $0.directory.path + "/missing" } == .containerInvalid)
    #expect(refusal { $1.scratch = $0.directory.file("file", []) } == .containerInvalid)
    #expect(refusal { $1.scratch = $0.directory.link("link", to: $0.scratch) } == .containerInvalid)
  }

  @Test func `refuses each container that is no directory, also after one that is`() {
    let paths: [(Site) -> String] = [
      { $0.directory.path + "/missing" }, { $0.directory.file("file", []) },
      { $0.directory.link("link", to: $0.directory.directory("target")) },
    ]
    for path in paths {
      #expect(
        refusal { site, policy in
          let good = site.directory.directory("good")
          policy.containers = [.init(path: good, access: .readWrite), .init(path: path(site), access: .readOnly)]
        } == .containerInvalid)
    }
    #expect(refusal { $1.containers = [.init(path: $0.directory.directory("good"), access: .readWrite)] } == nil)
  }

  @Test func `has paths of 4095 bytes at most, not characters`() {
    let most = "/" + String(repeating: "é", count: 2047)
    #expect(refusal { $1.runtime = [most] } == nil)
    #expect(refusal { $1.runtime = [most + "a"] } == .policyInvalid)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a directory away"))
  func `refuses a scratch directory of another user`() {
    #expect(refusal { site, _ in chown(site.scratch, 1, 1) } == .containerInvalid)
  }

  @Test(arguments: [["": "x"], ["A=B": "x"], ["A\0": "x"], ["A": "x\0y"]])
  func `refuses names and values that no environment can hold`(environment: [String: String]) {
    #expect(refusal { $1.environment = environment } == .policyInvalid)
  }

  @Test func `names a user other than root`() throws {
    let root = HostIdentity(userID: 0, groupID: 0)
    let someone = HostIdentity(userID: 1000, groupID: 1000)
    let cases: [(HostIdentity, UInt32, UInt32, SandboxError.Code)] = [
      (root, 0, 5, .runningAsRootWithoutExtensionUser), (root, 5, 0, .runningAsRootWithoutExtensionUser),
      (someone, 0, 0, .policyInvalid), (someone, 1001, 1000, .policyInvalid), (someone, 1000, 1001, .policyInvalid),
    ]
    for (host, user, group, code) in cases {
      let policy = SandboxPolicy(executable: "/x", scratch: "/y", userID: user, groupID: group)
      let error = #expect(throws: SandboxError.self) { try policy.validate(host: host) }
      #expect(error?.code == code)
    }
  }

  @Test func `inherits nothing but what every extension gets`() {
    let names = SandboxPolicy.standardEnvironment(scratch: "/s").keys.sorted()
    #expect(names == ["HOME", "LANG", "SWIFT_BACKTRACE", "TMPDIR", "TZ"])
  }
}
