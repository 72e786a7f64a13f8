import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The table of who may call what` {
  struct Case: Sendable, CustomTestStringConvertible {
    var method: String
    /// `nil` is every point.
    var points: [ExtensionPoint]?
    var entitlement: String?
    var testDescription: String { method }
  }

  /// Row by row, as the promises to extension authors have it.
  private static let cases: [Case] = [
    Case(method: "$/log"), Case(method: "$/ping"),
    Case(method: "context/completeRequest"), Case(method: "context/cancelRequest"),
    Case(method: "item/load"),
    Case(method: "defaults/get"), Case(method: "defaults/setMany"), Case(method: "defaults/observe"),
    Case(method: "container/path"),
    Case(method: "content/execute", entitlement: "content"),
    Case(method: "url/open", points: [.today]),
    Case(method: "widget/setHasContent", points: [.today, .containingApp]),
    Case(method: "share/setContentState", points: [.share]),
    Case(method: "weather/current", entitlement: "weather"),
    Case(method: "contents/execute", entitlement: "contents"),
    Case(method: "url/openAll", entitlement: "url"),
    Case(method: "nonsense", entitlement: "nonsense"),
  ]

  @Test(arguments: cases)
  func `decides by point and entitlement`(row: Case) {
    for point in ExtensionPoint.all + [.containingApp] {
      for entitlements in [[], ["content", "weather", "contents", "url", "nonsense"]] {
        let refusal = Allowlist.standard.refusal(method: row.method, point: point, entitlements: entitlements)
        let isOpen = row.points?.contains(point) ?? true
        let isEntitled = row.entitlement.map(entitlements.contains) ?? true
        switch (isOpen, isEntitled) {
        case (false, _): #expect(refusal?.code == .pointDisallows, "\(point.rawValue)")
        case (true, false): #expect(refusal?.code == .permissionDenied, "\(point.rawValue)")
        case (true, true): #expect(refusal == nil, "\(point.rawValue)")
        }
      }
    }
  }

  @Test func `covers every method that the features serve`() {
    let contracts: [any ServiceContract.Type] = [
      Action.self, Content.self, Defaults.self, Items.self, OpenURL.self, Request.self, Share.self, Today.self,
    ]
    for method in contracts.flatMap({ $0.methods }) {
      let row = Allowlist.standard.rows.first {
        $0.method == method.method || $0.method == "\(method.method.prefix { $0 != "/" })/*"
      }
      #expect(row != nil, "\(method.method)")
    }
  }

  @Test func `has a sentence for each row`() {
    for row in Allowlist.standard.rows { #expect(row.rule.count > 20 && row.rule.hasSuffix("."), "\(row.method)") }
  }
}
