import Sandbox
import SandboxTrials

extension Workshop.Host {
  var trial: TrialHost {
    TrialHost(identity: identity, userID: extensionUser, groupID: extensionGroup, wrapper: wrapper)
  }

  /// The start of a command that runs outside of any sandbox as the extension's user.
  var unconfined: [String] { wrapper + (wrapper.isEmpty ? [] : ["--no-new-privs"]) }
}

extension Workshop {
  /// Targets around sandboxes of a tier that are started by a host.
  static func targets(
    _ host: Host, _ tier: SandboxTier, place: TrialTargets.VictimPlace = .outside
  ) throws -> TrialTargets {
    try TrialTargets(
      host: host.trial, capabilities: capabilities(tier), launcher: launcher, programs: products, victim: place)
  }
}

extension TrialHost {
  /// The same host, with something around it, or between it and the launcher.
  func behind(_ outer: [String]) -> TrialHost {
    TrialHost(identity: identity, userID: userID, groupID: groupID, wrapper: outer + wrapper)
  }

  func followed(by inner: [String]) -> TrialHost {
    TrialHost(identity: identity, userID: userID, groupID: groupID, wrapper: wrapper + inner)
  }
}
