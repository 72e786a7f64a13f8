import JSON
import ExtensionTesting
import Foundation
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
    /// What a containing app needs of its user, where that is less.
    var ofApp: [String]?
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
    Case(method: "auth/fetch", permissions: ["auth"], ofKeyboard: ["auth", "open-access"]),
    Case(method: "auth/token", permissions: ["auth"], ofKeyboard: ["auth", "open-access"]),
    Case(method: "auth/requestSignIn", permissions: ["auth"], ofKeyboard: ["auth", "open-access"], ofApp: []),
    Case(method: "auth/accounts", permissions: ["auth"], ofKeyboard: ["auth", "open-access"], ofApp: []),
    Case(method: "auth/begin", points: [.containingApp]), Case(method: "auth/continue", points: [.containingApp]),
    Case(method: "auth/resend", points: [.containingApp]), Case(method: "auth/cancel", points: [.containingApp]),
    Case(method: "auth/signOut", points: [.containingApp]),
    Case(method: "data/execute", permissions: ["data"], ofKeyboard: ["data", "open-access"]),
    Case(method: "data/subscribe", permissions: ["data"], ofKeyboard: ["data", "open-access"]),
    Case(method: "data/connectors", permissions: ["data"], ofKeyboard: ["data", "open-access"]),
    Case(method: "session/create", permissions: ["network"], ofKeyboard: ["network", "open-access"], ofApp: []),
    Case(method: "session/uploadTask", permissions: ["network"], ofKeyboard: ["network", "open-access"], ofApp: []),
    Case(method: "session/eventsHandled", points: [.containingApp]),
    Case(method: "url/open", points: [.today]),
    Case(method: "widget/setHasContent", points: [.today, .containingApp]),
    Case(method: "widget/setPreferredContentSize", points: [.today, .containingApp]),
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
    for point in Features.points.points + [.containingApp] {
      for entitlements in [[], ["content", "weather", "contents", "url", "nonsense"]] {
        let refusal = Features.allowlist.refusal(method: row.method, point: point, entitlements: entitlements)
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
      let permissions =
        switch point {
        case .keyboard: row.ofKeyboard ?? row.permissions
        case .containingApp: row.ofApp ?? row.permissions
        default: row.permissions
        }
      #expect(Features.allowlist.permissions(method: row.method, point: point) == permissions, "\(point.rawValue)")
    }
  }

  @Test func `is tested row by row`() {
    for row in Features.allowlist.rows {
      let isTested = Self.cases.contains { test in
        (Features.points.points + [.containingApp]).contains { point in
          Features.allowlist.decides(row, for: test.method, at: point)
        }
      }
      #expect(isTested || row.method.hasPrefix("defaults/"), "\(row.method)")
    }
  }

  @Test func `covers every method that the features serve`() {
    for method in Golden.features.compactMap(\.contract).flatMap({ $0.methods }) {
      #expect(Features.allowlist.row(for: method.method, point: .today) != nil, "\(method.method)")
    }
  }

  @Test func `has a sentence for each row, and knows each permission that it names`() {
    for row in Features.allowlist.rows {
      #expect(row.rule.count > 20 && row.rule.hasSuffix("."), "\(row.method)")
      for name in row.permissions { #expect(PermissionKind.named(name) != nil, "\(name)") }
    }
  }

  /// Whoever changes what an extension may call changes this file, which a reviewer reads whole.
  @Test func `is the one that was reviewed`() throws {
    let methods = [Log.method, Ping.method] + Features.contracts.flatMap { $0.methods }.map { $0.method }
    let decisions = Features.allowlist.decisions(methods: methods, points: Features.points)
    let lines = Allowlist.text(of: decisions, points: Features.points).split(separator: "\n")
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Goldens/Access.tsv")
    let reviewed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.filter { !reviewed.contains($0) } == [], "New: make regenerate writes the file anew.")
    #expect(reviewed.filter { !lines.contains($0) } == [], "Gone: make regenerate writes the file anew.")
    #expect(lines == reviewed)
  }
}
