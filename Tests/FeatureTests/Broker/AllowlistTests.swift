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
    var permissions: [String] = []
    /// What a keyboard needs of its user, where that is more.
    var ofKeyboard: [String]?
    var testDescription: String { method }
  }

  /// Row by row, as the promises to extension authors have it.
  private static let cases: [Case] = [
    Case(method: "$/log"), Case(method: "$/ping"), Case(method: "$/stream/data"), Case(method: "$/cancelRequest"),
    Case(method: "context/completeRequest"), Case(method: "context/cancelRequest"),
    Case(method: "context/expiringActivity/begin"),
    Case(method: "item/load"), Case(method: "item/hasConforming"), Case(method: "uti/conforms"),
    Case(method: "defaults/get"), Case(method: "defaults/all"), Case(method: "defaults/observe"),
    Case(method: "defaults/follow"), Case(method: "defaults/removeAll", ofKeyboard: ["open-access"]),
    Case(method: "defaults/set", ofKeyboard: ["open-access"]),
    Case(method: "defaults/setMany", ofKeyboard: ["open-access"]),
    Case(method: "defaults/remove", ofKeyboard: ["open-access"]),
    Case(method: "defaults/compareAndSet", ofKeyboard: ["open-access"]),
    Case(method: "container/path"),
    Case(method: "content/execute", entitlement: "content", ofKeyboard: ["open-access"]),
    Case(method: "network/fetch", permissions: ["network"], ofKeyboard: ["network", "open-access"]),
    Case(method: "session/create", permissions: ["network"], ofKeyboard: ["network", "open-access"]),
    Case(method: "session/downloadTask", permissions: ["network"], ofKeyboard: ["network", "open-access"]),
    Case(method: "session/eventsHandled", points: [.containingApp]),
    Case(method: "url/open", points: [.today]),
    Case(method: "widget/setHasContent", points: [.today, .containingApp]),
    Case(method: "widget/setPreferredContentSize", points: [.today, .containingApp]),
    Case(method: "widget/reloadTimelines", points: [.containingApp]),
    Case(method: "share/setContentState", points: [.share]),
    Case(method: "photo/renderedContentURL", points: [.photoEditing]),
    Case(method: "picker/dismissGrantingAccess", points: [.documentPicker]),
    Case(method: "provider/writePlaceholder", points: [.documentPicker, .fileProvider]),
    Case(method: "provider/coordinate", points: [.documentPicker, .fileProvider]),
    Case(method: "keyboard/edit", points: [.keyboard]), Case(method: "keyboard/dismiss", points: [.keyboard]),
    Case(method: "permission/request"), Case(method: "api/report"),
    Case(method: "weather/current", entitlement: "weather"),
    Case(method: "contents/execute", entitlement: "contents"),
    Case(method: "url/openAll", entitlement: "url"),
    Case(method: "nonsense", entitlement: "nonsense"),
  ]

  @Test(arguments: cases)
  func `decides by point, entitlement and permission`(row: Case) {
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
        if let refusal {
          #expect(refusal.message.contains(row.method) && refusal.recovery?.hasSuffix(".") == true)
          #expect(refusal.details["method"]?.stringValue == row.method)
        }
      }
      let permissions = point == .keyboard ? row.ofKeyboard ?? row.permissions : row.permissions
      #expect(Allowlist.standard.permissions(method: row.method, point: point) == permissions, "\(point.rawValue)")
    }
  }

  @Test func `is tested row by row`() {
    for row in Allowlist.standard.rows {
      let isTested = Self.cases.contains { test in
        (ExtensionPoint.all + [.containingApp]).contains { point in
          Allowlist.standard.decides(row, for: test.method, at: point)
        }
      }
      #expect(isTested || row.method.hasPrefix("defaults/"), "\(row.method)")
    }
  }

  @Test func `covers every method that the features serve`() {
    for method in Golden.features.compactMap(\.contract).flatMap({ $0.methods }) {
      #expect(Allowlist.standard.row(for: method.method, point: .today) != nil, "\(method.method)")
    }
  }

  @Test func `has a sentence for each row, and knows each permission that it names`() {
    for row in Allowlist.standard.rows {
      #expect(row.rule.count > 20 && row.rule.hasSuffix("."), "\(row.method)")
      for name in row.permissions { #expect(PermissionKind.named(name) != nil, "\(name)") }
    }
  }
}
