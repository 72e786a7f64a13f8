import ExtensionHosting
import ExtensionProtocol
import PropertyList
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `What an extension may use` {
  /// The limits of a manifest that names these.
  private func manifest(_ limits: [String: PropertyListValue]) throws -> Manifest.Limits {
    let value: PropertyListValue = [
      "CFBundleIdentifier": "com.example.notes.clock", "CFBundleExecutable": "Clock", "CFBundlePackageType": "XPC!",
      "NSExtension": ["NSExtensionPointIdentifier": "com.example.points.clock"],
      "Annex": ["Limits": .dictionary(limits)],
    ]
    return try #require(ManifestValidation(value).manifest).limits
  }

  private let limits = ExtensionLimits(memoryMiB: 32)

  @Test func `opens the containers of app groups as the point says`() {
    typealias Access = ExtensionPointDefinition.GroupAccess
    for openAccess in [false, true] {
      #expect(Access.readWrite.access(openAccess: openAccess) == .readWrite)
      #expect(Access.readOnlyWithoutOpenAccess.access(openAccess: openAccess) == (openAccess ? .readWrite : .readOnly))
    }
  }

  @Test func `is lowered by a manifest`() throws {
    let lowered = limits.lowered(
      by: try manifest([
        "MemoryMiB": 8, "Threads": 4, "Descriptors": 16, "FileMiB": 2, "ContainerMiB": 3, "ContainerFiles": 20,
        "CPUSeconds": 5,
      ]))
    #expect(lowered.memory == 8 << 20 && lowered.threads == 4 && lowered.descriptors == 16)
    #expect(lowered.fileSize == 2 << 20 && lowered.containerSize == 3 << 20 && lowered.containerFiles == 20)
    #expect(lowered.requestCPU == .seconds(5) && lowered.idleCPU == .seconds(5))
  }

  @Test func `is never raised by a manifest`() throws {
    let most: PropertyListValue = 1_073_741_824
    let lowered = limits.lowered(
      by: try manifest([
        "MemoryMiB": most, "Threads": most, "Descriptors": most, "FileMiB": most, "ContainerMiB": most,
        "ContainerFiles": most, "CPUSeconds": most,
      ]))
    #expect(lowered == limits)
  }

  @Test func `leaves a process its three pipes`() throws {
    let limits = limits.lowered(by: try manifest(["Descriptors": 1]))
    #expect(limits.descriptors == 3)
  }

  @Test func `is enforced by the kernel with room for what is never touched`() {
    var limits = ExtensionLimits(memoryMiB: 32)
    limits.threads = 9
    limits.descriptors = 10
    limits.fileSize = 11
    let enforced = SandboxLimits(limits)
    #expect(enforced.data == 288 << 20 && enforced.threads == 9 && enforced.descriptors == 10)
    #expect(enforced.fileSize == 11 && enforced.stack == 1 << 20)
    limits.memory = .max
    #expect(SandboxLimits(limits).data == .max)
  }
}
