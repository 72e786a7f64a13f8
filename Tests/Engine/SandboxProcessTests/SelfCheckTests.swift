import CLinux
import Glibc
import SandboxTrials
import TestSupport
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A self-check` {
  struct Layer: Sendable, CustomTestStringConvertible {
    let facility: SandboxFacilities
    let stage: LaunchStage

    var testDescription: String { "\(stage)" }
  }

  static let layers = [
    Layer(facility: .seccomp, stage: .seccomp), Layer(facility: .execOnce, stage: .execOnce),
    Layer(facility: .landlock, stage: .landlock), Layer(facility: .mountNamespace, stage: .root),
    Layer(facility: .pidNamespace, stage: .pidNamespace), Layer(facility: .limits, stage: .limits),
    Layer(facility: .credentials, stage: .credentials), Layer(facility: .networkNamespace, stage: .networkNamespace),
  ]

  /// Leaves one layer out and claims that it is there.
  @Test(arguments: layers, try Cases.present(Workshop.Host.available))
  func `notices a layer that is missing`(layer: Layer, host: Workshop.Host) throws {
    let claimed = Workshop.capabilities(.full).facilities(for: host.identity)
    var applied = claimed.subtracting(layer.facility)
    // Without these two there is no procfs of their own; the host's takes its place, as it would in a broken launcher.
    if layer.facility == .mountNamespace || layer.facility == .pidNamespace { applied.remove(.privateProc) }
    if layer.facility == .pidNamespace { applied.insert(.hostProc) }
    let missing = try check(applied, claiming: claimed, host: host)
    // An ordinary user in a user namespace loses its capabilities with execve anyway: nothing is missing then.
    let harmless = layer.facility == .credentials && host == .user
    let expected = harmless ? nil : LaunchFailure(stage: layer.stage, errorNumber: 0)
    #expect(SandboxProbe.failure(missing: missing, claimed) == expected)
  }

  /// Monitor and init may fail both, and on a busy machine either of them first.
  @Test func `names the earlier of two stages that failed, whichever was heard first`() {
    let (early, late) = (
      LaunchFailure(stage: .`init`, errorNumber: EACCES), LaunchFailure(stage: .execOnce, errorNumber: EACCES)
    )
    let facilities: SandboxFacilities = [.seccomp, .execOnce]
    for order in [[early, late], [late, early]] {
      #expect(SandboxProbe.failure(order.map { .launchFailed($0) }, facilities) == early)
    }
    #expect(SandboxProbe.failure([.launchFailed(late)], facilities) == late)
    #expect(SandboxProbe.failure([], facilities)?.errorNumber == ETIMEDOUT)
    #expect(SandboxProbe.failure([.executed, .ended(.exited(code: 0))], facilities) == nil)
  }

  @Test(arguments: try Cases.present(Workshop.Host.available))
  func `finds nothing missing in a whole sandbox`(host: Workshop.Host) throws {
    let whole = Workshop.capabilities(.full).facilities(for: host.identity)
    #expect(try check(whole, claiming: whole, host: host) == 0)
  }

  /// Has the launcher look at itself under the given layers.
  private func check(
    _ facilities: SandboxFacilities, claiming claimed: SandboxFacilities, host: Workshop.Host
  ) throws -> UInt32 {
    let program = try #require(ResolvedPath(Workshop.launcher.path)).path
    let bytes = try PolicyEncoder.encode(
      LaunchPlan.Contents(
        facilities: facilities, userID: host.extensionUser, groupID: host.extensionGroup,
        landlockVersion: UInt32(clinux_landlock_version()), executable: program, workingDirectory: "/",
        arguments: [program] + HostNamespaces.left(by: claimed), environment: [],
        paths: [PolicyPaths.Entry(kind: 2, path: program)],
        limits: SandboxLimits().entries(counting: .nothing)))
    let result = try Workshop.run(LaunchPlan(bytes: bytes, launcher: Workshop.launcher, wrapper: host.wrapper))
    guard case .exited(let missing)? = result.ended else { throw Failure("\(result)") }
    return UInt32(missing)
  }
}
