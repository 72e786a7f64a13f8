import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The control of resources` {
  @Test func `is found on a machine that shows its processes`() { #expect(ResourceControl.current == .sampling) }

  @Test(arguments: ResourceControl.allCases)
  func `says what holds, and what to do where too little does`(control: ResourceControl) {
    #expect(!control.name.isEmpty && !control.detail.isEmpty)
    #expect((control.recovery == nil) == (control == .sampling))
  }

  @Test func `is a row of the report`() {
    let report = SandboxReport(SandboxCapabilities(tier: .full, landlockVersion: 7))
    #expect(report.rows.first { $0.layer == "memory, processor time, disk" }?.enforced == true)
  }
}
