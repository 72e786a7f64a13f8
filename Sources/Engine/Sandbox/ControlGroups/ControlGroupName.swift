/// What a group is called: `annex-<pid of the host>-<its start time>-<number>`.
struct ControlGroupName: Sendable, Hashable {
  let host: ProcessIdentity
  let number: UInt64

  init(host: ProcessIdentity, number: UInt64) {
    self.host = host
    self.number = number
  }

  /// - Returns: nil for a name that no host gives.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "annex", let host = ProcessIdentity("\(parts[1])-\(parts[2])"),
      let number = UInt64(parts[3])
    else { return nil }
    self.init(host: host, number: number)
    guard self.text == text else { return nil }
  }

  var text: String { "annex-\(host.text)-\(number)" }
}
