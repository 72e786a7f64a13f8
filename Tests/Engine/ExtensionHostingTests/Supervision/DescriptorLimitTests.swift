import ExtensionProtocol
import Glibc
import JSON
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `The descriptors of a host` {
  /// In a process of its own, whose limit is lowered.
  @Test func `are enough for one more extension down to the last one`() async {
    await #expect(processExitsWith: .success) {
      let identity = Caller.Identity(
        id: "com.example.a", version: "1", displayName: "A", point: .clock, containingApp: "com.example", groups: [],
        entitlements: [])
      let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
      close(lowest)
      let needed = rlim_t(lowest) + 2 * 5 + 48
      func refusal(_ soft: rlim_t) -> ExtensionError? {
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), [rlimit(rlim_cur: soft, rlim_max: needed)])
        do throws(ExtensionError) { try DescriptorLimit.check(for: identity) } catch { return error }
        return nil
      }
      #expect(refusal(needed) == nil)
      let error = refusal(needed - 1)
      #expect(error?.code == .limitExceeded && error?.details["descriptors"] == .integer(Int64(needed) - 1))
      #expect(refusal(needed) == nil)
    }
  }
}
