import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol
import FeatureChecks
import Foundation
import HostServices
import Testing

/// A host that serves every method of this package to whoever calls it.
private final class FloodedHost: Sendable {
  let arena: Arena
  private let host: ExtensionHost

  static let heldMemory = 32 << 20

  init() throws {
    arena = try Arena()
    let state = StateDirectory(path: "\(arena.path)/flooded")
    let rows = (Features.contracts.flatMap { $0.methods.map { $0.method } } + ["$/*"]).map {
      Allowlist.Row($0, nil, nil, "Everything is open here.")
    }
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: state, allowlist: Allowlist(rows),
      permissions: PermissionAuthority(state: state, consent: .grant))
    configuration.heldMemory = Self.heldMemory
    configuration.deadlines.handshake = .seconds(10)
    configuration.deadlines.termination = .milliseconds(100)
    host = try HostEnvironment(configuration, features: Features.hosts).makeHost()
  }

  /// - Returns: what it came to; whatever that is, the host is still there.
  func bear(_ flood: MethodFlood) async throws -> String {
    let name = "flood" + flood.method.filter { $0.isLetter }
    let path = "\(arena.path)/\(name).py"
    try flood.script.write(toFile: path, atomically: false, encoding: .utf8)
    let identity = Caller.Identity(
      id: "com.example.chaos.\(name)", version: "1", displayName: name, point: .today,
      containingApp: "com.example.chaos",
      groups: ["group.a"], entitlements: Features.contracts.map { $0.name })
    let target = LaunchTarget(identity: identity, executable: path, interpreter: "/usr/bin/python3")
    let requests: RequestService = host.service()
    do {
      let result = try await host.withTarget(target) {
        try await $0.performUpdate(requests: requests, deadline: .seconds(20))
      }
      return "\(result.result)"
    } catch {
      return (error as? ExtensionError)?.message ?? "\(error)"
    }
  }
}

extension ExtensionHost {
  fileprivate func service<Service: HostService>() -> Service { service(Service.self) }
}

@Suite(.timeLimit(.minutes(10)), .enabled(if: Arena.isPossible))
struct `A host whose methods are called without pause` {
  /// What a host may grow by while it keeps ``FloodedHost/heldMemory``: what is being read and what is being answered, too.
  private static let growth = 96 << 20

  @Test func `knows every method of the contracts`() {
    let methods = Set(MethodFlood.all.map(\.method))
    for contract in Features.contracts { for method in contract.methods { #expect(methods.contains(method.method)) } }
    // Nearly all of them are called as they are meant.
    #expect(MethodFlood.all.count { $0.params != [:] } > MethodFlood.all.count * 3 / 4)
  }

  /// In a process of its own: its memory is measured.
  @Test func `keeps no more for an extension than it may, whichever it calls`() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let host = try FloodedHost()
      _ = try await host.arena.serve(slot: 1)
      var complaints: [String] = []
      for flood in MethodFlood.all {
        PeakMemory.reset()
        let before = PeakMemory.bytes
        let outcome = try await host.bear(flood)
        let grown = PeakMemory.bytes - before
        if grown > Self.growth { complaints.append("\(flood.method): \(grown >> 20) MiB, and \(outcome)") }
        FileHandle.standardError.write(Data("\(flood.method): \(grown >> 20) MiB, \(outcome)\n".utf8))
      }
      if try await host.arena.serve(slot: 2).result != .newData { complaints.append("a good one was not served") }
      for complaint in complaints { FileHandle.standardError.write(Data("chaos: \(complaint)\n".utf8)) }
      #expect(complaints == [])
    }
    let said = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.split(separator: "\n").filter { $0.hasPrefix("chaos: ") } == [], "\(said)")
  }
}

/// The most memory that this process has had since the last reset (proc(5), `clear_refs` and `VmHWM`).
enum PeakMemory {
  static func reset() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

  static var bytes: Int {
    let status = FileManager.default.contents(atPath: "/proc/self/status").map { String(decoding: $0, as: UTF8.self) }
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }
}
