import ExtensionHosting
import ExtensionProtocol
import ExtensionTesting
import FeatureChecks
import Fetching
import HostServices
import TestSupport
import Testing

@testable import SessionServices

@Suite(.timeLimit(.minutes(1)))
struct `The rules for transfers` {
  private let folder: TemporaryDirectory
  private let identity = Caller.Identity.testing(
    point: .today, permissions: [AskedPermission("network", scope: ["a.example", "http://b.example"])])

  init() throws { folder = try TemporaryDirectory() }

  private func rules(_ consent: Consent) -> SessionRules {
    let state = StateDirectory(path: folder.path)
    return SessionRules(
      permissions: PermissionAuthority(state: state, consent: consent), points: Features.points,
      localServers: LocalServers(state))
  }

  private static let urls: [(url: String, code: ExtensionError.Code?)] = [
    ("https://a.example/x?y", nil), ("http://b.example", nil), ("http://a.example", .permissionDenied),
    ("https://b.example", .permissionDenied), ("https://c.example", .permissionDenied),
    ("https://a.example.c.example", .permissionDenied), ("", .invalidParams), ("a.example", .invalidParams),
    ("https://a.example/\u{E9}", .invalidParams), ("file:///etc", .invalidParams),
  ]

  @Test(arguments: urls) func `let them go to the servers of the manifest`(url: String, code: ExtensionError.Code?) {
    #expect(rules(.grant).refusal(of: url, for: identity)?.code == code)
  }

  @Test func `want the user's permission, and say whether it was refused`() {
    for (consent, word, state) in [(Consent.ask(nil), "not granted", "undecided"), (.deny, "denied", "denied")] {
      let refusal = rules(consent).refusal(of: "https://a.example", for: identity)
      #expect(refusal?.code == .permissionDenied)
      #expect(
        refusal?.message == "Transfers of \(identity.id) need the permission “network”, which is \(word).", "\(state)")
      #expect(refusal?.details["state"] == .string(state) && refusal?.details["permission"] == "network")
      #expect(refusal?.details["extension"] == .string(identity.id))
    }
    let silent = Caller.Identity.testing(point: .today)
    #expect(rules(.grant).refusal(of: "https://a.example", for: silent)?.details["state"] == "denied")
  }

  @Test func `want what the extension point wants beside`() {
    let network = AskedPermission("network", scope: ["a.example"])
    let url = "https://a.example"
    let closed = Caller.Identity.testing(point: .keyboard, permissions: [network])
    let open = Caller.Identity.testing(point: .keyboard, permissions: [network, AskedPermission("open-access")])
    let refusal = rules(.grant).refusal(of: url, for: closed)
    #expect(refusal?.code == .permissionDenied && refusal?.details["permission"] == "open-access")
    #expect(rules(.grant).refusal(of: url, for: open) == nil)
    #expect(rules(.grant).refusal(of: "https://b.example", for: open)?.code == .permissionDenied)
  }

  @Test func `keep them out of an app group that nobody gave, whether they read there or write`() {
    let registry = ExtensionRegistry(RegistrySources())
    for writes in [false, true] {
      let refusal = rules(.grant).refusal(ofGroup: "group.unnamed", writes: writes, for: identity, in: registry)
      #expect(refusal?.code == .groupNotEntitled && refusal?.details == ["group": "group.unnamed"])
    }
  }
}
