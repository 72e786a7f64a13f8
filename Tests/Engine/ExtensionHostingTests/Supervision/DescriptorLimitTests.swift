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

  /// In a process of its own, whose limits are lowered.
  @Test func `are raised as far as is wanted and allowed, and never lowered`() async {
    await #expect(processExitsWith: .success) {
      func soft(_ soft: rlim_t, raisedTo wanted: Int?) -> Int {
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), [rlimit(rlim_cur: soft, rlim_max: 200)])
        if let wanted { DescriptorLimit.raise(to: wanted) } else { DescriptorLimit.raise() }
        return DescriptorLimit.soft
      }
      #expect(soft(100, raisedTo: 150) == 150 && soft(100, raisedTo: 200) == 200 && soft(100, raisedTo: 201) == 200)
      #expect(soft(100, raisedTo: nil) == 200 && soft(200, raisedTo: nil) == 200)
      #expect(soft(100, raisedTo: 100) == 100 && soft(100, raisedTo: 99) == 100 && soft(100, raisedTo: -1) == 100)
    }
  }
}
