import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The limits of a sandbox` {
  private static let processes: UInt32 = 6

  @Test(arguments: [
    (SandboxLimits.Counting.nothing, nil as UInt64?), (.sandbox, 12), (.app, 96),
  ])
  func `bound processes as the kernel counts them`(counting: SandboxLimits.Counting, value: UInt64?) {
    var limits = SandboxLimits()
    limits.threads = 10
    #expect(limits.entries(counting: counting).first { $0.resource == Self.processes }?.value == value)
  }

  @Test func `survive a number that nobody means`() {
    var limits = SandboxLimits()
    limits.threads = .max
    let value = limits.entries(counting: .app).first { $0.resource == Self.processes }?.value
    #expect(value == (UInt64(UInt32.max) + 2) * 8)
  }

  @Test func `are what the policy says`() {
    var limits = SandboxLimits()
    (limits.fileSize, limits.data, limits.stack, limits.descriptors) = (11, 12, 13, 14)
    let entries = limits.entries(counting: .nothing)
    #expect(entries.count == 10)
    for (resource, value): (UInt32, UInt64) in [(1, 11), (2, 12), (3, 13), (7, 14)] {
      #expect(entries.filter { $0.resource == resource }.map(\.value) == [value])
    }
    let usual = SandboxLimits()
    #expect(usual.data == 512 << 20 && usual.stack == 1 << 20 && usual.threads == 128 && usual.descriptors == 256)
    #expect(usual.fileSize == 64 << 20)
  }

  @Test func `leave the user's other programs their signals`() {
    let value = SandboxLimits().entries(counting: .nothing).first { $0.resource == 11 }?.value
    #expect(value == 64)
  }

  @Test func `allow no core, no locked memory and no better priority`() {
    let entries = SandboxLimits().entries(counting: .nothing)
    for resource: UInt32 in [4, 8, 12, 13, 14] { #expect(entries.first { $0.resource == resource }?.value == 0) }
  }
}
