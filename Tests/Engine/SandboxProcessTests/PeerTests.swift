import Glibc
import Sandbox
import SandboxTrials
import TestSupport
import Testing

/// Both run at the same time, and each attacks the other while it is attacked: memory, signals, files, locks, `/proc`.
@Suite(.timeLimit(.minutes(2)))
struct `Two extensions that attack each other` {
  /// What the two have in common.
  enum Relation: String, CaseIterable, Sendable {
    /// A user, and an app group in which both may write.
    case oneApp
    /// Where the host is an ordinary user, the user.
    case twoApps
  }

  static let places = SandboxTier.allCases.flatMap { tier in Workshop.Host.available.map { (tier, $0) } }

  @Test(arguments: try Cases.present(places), Relation.allCases)
  func `come away with nothing`(place: (tier: SandboxTier, host: Workshop.Host), relation: Relation) throws {
    let shared = relation == .oneApp ? try Workshop(host: place.host) : nil
    if let shared {
      try shared.makeDirectory(shared.root + "/group", mode: 0o700)
      try shared.give(shared.root + "/group")
    }
    let group = shared.map { $0.root + "/group" }
    let isOther = relation == .twoApps && place.host == .root
    let one = try Peer(place.host, place.tier, group: group, makesFile: true)
    let other = try Peer(place.host, place.tier, group: group, makesFile: false, user: isOther ? 71_005 : nil)
    try one.attack(other)
    try other.attack(one)
    #expect(try one.attempts() == [])
    #expect(try other.attempts() == [])
    #expect(try one.end() == "intact")
    #expect(try other.end() == "intact")
  }
}

/// One of the two, in a sandbox of its own.
private final class Peer {
  private let workshop: Workshop
  private let process: SandboxedProcess
  /// The file of the group that both may write to, or `-`.
  private let file: String
  private var hasInput = true
  private let address: String
  private let pid: Int32
  private let priority: Int32
  private let limits: String?

  /// - Parameters:
  ///   - tier: `nil` for no sandbox.
  ///   - group: a folder that both may write to.
  ///   - makesFile: whether it makes the group's file, of which the other one wants a lock.
  ///   - user: its own, where apps have users of their own.
  init(_ host: Workshop.Host, _ tier: SandboxTier?, group: String?, makesFile: Bool, user: UInt32? = nil) throws {
    let workshop = try Workshop(host: host)
    self.workshop = workshop
    file = makesFile ? group.map { $0 + "/file" } ?? "-" : "-"
    var policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["peer", file])
    if let group { policy.containers = [SandboxPolicy.Container(path: group, access: .readWrite)] }
    if let user {
      policy.userID = user
      policy.groupID = user
      guard chown(workshop.scratch, user, user) == 0 else { throw Failure("chown: \(errno)") }
    }
    let command = ["/usr/bin/env", "-C", workshop.scratch] + host.unconfined + [policy.executable] + policy.arguments
    let plan =
      try tier.map { try workshop.plan(policy, tier: $0) }
      ?? LaunchPlan.unsafeNoSandbox(executable: command[0], arguments: Array(command.dropFirst()))
    process = try plan.spawn()
    address = try ProcessTree.lines(1, from: process.standardOutput)[0]
    pid = ProcessTree.last(below: process.pid)
    priority = getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(pid))
    limits = Workshop.contents(of: "/proc/\(pid)/limits")
  }

  deinit {
    kill()
    process.closeAllButInput()
  }

  func kill() {
    closeInput()
    try? process.signal(SIGKILL)
    _ = try? process.waitUntilExit()
  }

  private func closeInput() {
    if hasInput { close(process.standardInput) }
    hasInput = false
  }

  /// Tells it where the other one is.
  func attack(_ other: Peer) throws {
    let line = "\(other.pid) \(other.address) \(other.workshop.scratch) \(other.file)\n"
    let count = line.utf8.count
    guard write(process.standardInput, line, count) == count else { throw Failure("write: \(errno)") }
  }

  /// What it came through with, until it says that it is done.
  func attempts() throws -> [String] {
    var lines: [String] = []
    while lines.last != "done" { lines += try ProcessTree.lines(1, from: process.standardOutput) }
    return lines.dropLast()
  }

  /// Ends it.
  ///
  /// - Returns: what it says of its own secrets; what is wrong when it could be reached in another way.
  func end() throws -> String {
    guard Workshop.contents(of: "/proc/\(pid)/limits")?.isEmpty == false, try process.reap() == nil else {
      return "ended"
    }
    guard getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(pid)) == priority else { return "of another priority" }
    guard limits != nil, Workshop.contents(of: "/proc/\(pid)/limits") == limits else { return "of other limits" }
    closeInput()
    return try ProcessTree.lines(1, from: process.standardOutput)[0]
  }
}
