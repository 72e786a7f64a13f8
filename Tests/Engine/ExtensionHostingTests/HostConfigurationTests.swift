import ExtensionProtocol
import Glibc
import JSONRPC
import Testing

@testable import ExtensionHosting

/// What a host does of which nothing is said: its documents promise it.
@Suite(.timeLimit(.minutes(1)))
struct `The configuration of a host` {
  private func configuration() throws -> ExtensionHost.Configuration {
    ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: "/none/state"))
  }

  @Test func `has the deadlines that are written down`() throws {
    let deadlines = try configuration().deadlines
    #expect(deadlines.handshake == .seconds(5) && deadlines.service == .seconds(30))
    #expect(deadlines.termination == .seconds(2) && deadlines.slowLaunch == .seconds(1))
    #expect(deadlines.completion == .seconds(5) && deadlines.ping == .seconds(10))
    #expect(deadlines.backOff == .seconds(8) && deadlines.queue == .seconds(30))
    #expect(deadlines.look == .seconds(1) && deadlines.message == .seconds(10))
  }

  @Test func `keeps four processes ready for ten seconds, and runs a thousand`() throws {
    let configuration = try configuration()
    #expect(configuration.warm.capacity == 4 && configuration.warm.idleTime == .seconds(10))
    let warm = ExtensionHost.Warm(capacity: 1, idleTime: .seconds(2))
    #expect(warm.capacity == 1 && warm.idleTime == .seconds(2))
    let capacity = configuration.capacity
    #expect(capacity.processes == 1_000 && capacity.processesOfOneExtension == 1_000 && capacity.waiting == 10_000)
    let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    #expect(capacity.launches == (processors > 4 ? 4 * processors : 16))
  }

  @Test func `is that of a host that keeps to itself`() throws {
    let configuration = try configuration()
    #expect(configuration.peer == Peer(name: "annex") && configuration.launcherPath == nil)
    #expect(configuration.allowlist == nil && configuration.refusedPoints == [] && configuration.limits == [:])
    #expect(configuration.controlGroups == .delegated && configuration.raisesDescriptorLimit)
    #expect(configuration.log is NoLog && configuration.recorder == nil)
    #expect(
      configuration.state.path == "/none/state" && configuration.points.points == configuration.registry.points.points)
  }

  @Test func `bounds what a connection holds by 128 MiB, and never by less than 16`() throws {
    var configuration = try configuration()
    #expect(configuration.wire.maximumHeldBytes == 128 << 20 && configuration.wire.partialMessage == .seconds(10))
    #expect(ExtensionHost.Configuration.leastHeldMemory == 16 << 20)
    for (wanted, bound) in [(0, 16 << 20), ((16 << 20) - 1, 16 << 20), ((16 << 20) + 1, (16 << 20) + 1)] {
      configuration.heldMemory = wanted
      #expect(configuration.wire.maximumHeldBytes == bound)
    }
    configuration.deadlines.message = .seconds(3)
    #expect(configuration.wire.partialMessage == .seconds(3))
  }
}
