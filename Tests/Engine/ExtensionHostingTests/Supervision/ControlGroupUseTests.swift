import JSON
import ExtensionProtocol
import Sandbox
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `The use of control groups` {
  @Test(arguments: [
    ([:], ExtensionHost.ControlGroupUse.delegated), (["ANNEX_CONTROL_GROUP": ""], .delegated),
    (["ANNEX_CONTROL_GROUP": "none"], .never),
    (["ANNEX_CONTROL_GROUP": "/sys/fs/cgroup/a"], .below("/sys/fs/cgroup/a")),
  ])
  func `is what the environment says`(environment: [String: String], use: ExtensionHost.ControlGroupUse) throws {
    #expect(try ExtensionHost.ControlGroupUse(environment: environment) == use)
  }

  @Test func `is refused below a relative path`() {
    do throws(ExtensionError) {
      let use = try ExtensionHost.ControlGroupUse(environment: ["ANNEX_CONTROL_GROUP": "notes"])
      Issue.record("\(use)")
    } catch {
      #expect(error.code == .invalidParams && error.message.contains("notes") && error.recovery != nil)
    }
  }

  @Test func `makes none, or says why not`() throws {
    #expect(try ExtensionHost.ControlGroupUse.never.find() == nil)
    #expect(throws: SandboxError.self) { try ExtensionHost.ControlGroupUse.below("/nonexistent").find() }
  }

  @Test func `is told to callers where it cannot be used`() {
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    let refusal = SandboxError(.controlGroupUnusable, "It is gone.", recovery: "Make it.")
    let error = ExtensionError(refusal, extension: identity)
    #expect(error.code == .sandboxUnavailable && error.message.contains("It is gone."))
    #expect(error.recovery == "Make it." && error.details["sandbox"] == "controlGroupUnusable")
  }

  @Test(arguments: SandboxError.Code.allCases)
  func `is one of the reasons why nothing is started, each with the code of what is to be corrected`(
    reason: SandboxError.Code
  ) {
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    let error = ExtensionError(SandboxError(reason, "It is so.", recovery: "Do."), extension: identity)
    let code: ExtensionError.Code =
      switch reason {
      case .sandboxUnavailable, .controlGroupUnusable: .sandboxUnavailable
      case .bundleInvalid, .containerInvalid, .policyInvalid: .extensionInvalid
      case .launchFailed, .runningAsRootWithoutExtensionUser, .system, .lacksDescriptors, .statusMalformed:
        .launchFailed
      }
    #expect(error.code == code && error.message == "Clock was not started. It is so." && error.recovery == "Do.")
    #expect(error.details == ["sandbox": .string(reason.rawValue), "extension": "com.example.notes.clock"])
  }

  @Test func `ends an extension with a figure of at most the ceiling`() {
    let exact = ExitReason.memory(used: 32 << 20, ceiling: 32 << 20)
    #expect(exact.description == "was ended for its memory: it wanted more than the 32 MiB that are allowed")
    #expect(exact.kind == "memory" && exact.isLimit)
    #expect(ExitReason.memory(used: 33 << 20, ceiling: 32 << 20).description.contains("it used 33 MiB"))
  }
}
