import JSON
import AppExtensions
import ExtensionHosting
import HostServices
import Testing

@testable import ExtensionTesting

/// A widget whose rows do something.
private struct Rows: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult { .noData }

  func didSelectRow(_ row: Int, action: String, in context: ExtensionContext) async throws -> UpdateResult {
    switch action {
    case "where": return .newData("row \(row), \(context.requestID.isEmpty ? "no request" : "a request")")
    case "input":
      var row = WidgetView.Row(title: "Name")
      row.kind = "input"
      return .newData(WidgetView(rows: [row]))
    default: throw ExtensionError(.handlerFailed, "There is no \(action).")
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A row with an action` {
  @Test func `is told to its widget, with its place and under a request`() async throws {
    let result = try await TestHost().withExtension(Rows.self) { try await $0.didSelectRow(3, action: "where") }
    #expect(result == .newData("row 3, a request"))
  }

  @Test func `fails with what the widget throws`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost().withExtension(Rows.self) { _ = try await $0.didSelectRow(0, action: "door") }
    }
    #expect(caught?.message == "There is no door.")
  }

  @Test func `may not bring a view that no widget may have`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost().withExtension(Rows.self) { _ = try await $0.didSelectRow(0, action: "input") }
    }
    #expect(caught?.code == .protocolViolation)
    #expect(caught?.message.contains("widget/didSelectRow") == true)
  }

  @Test func `is no method of a widget that does nothing for it`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost().withExtension(WidgetProbe.self) { _ = try await $0.didSelectRow(0, action: "go") }
    }
    #expect(caught?.code == .methodNotFound && caught?.message.contains("“go”") == true)
  }

  @Test(arguments: [-1, 1_000_001]) func `has a place that is bounded`(row: Int) {
    #expect(throws: DecodingError.self) {
      try JSONCoding.decode(
        Today.DidSelectRow.self, from: ["requestID": "r", "row": .integer(Int64(row)), "action": "a"])
    }
  }

  private static let refused: [(WidgetView.Row, String)] = [
    (.init(title: "a", url: "a://b", action: "go"), "both"), (.init(title: "a", action: ""), "1 to 128"),
    (.init(title: "a", action: String(repeating: "x", count: 129)), "129 bytes"),
    (.init(title: "a", action: "two words"), "characters"), (.init(title: "a", action: "a\nb"), "characters"),
    (.init(title: "a", action: "é"), "characters"),
  ]

  @Test(arguments: refused) func `is refused by its place when it is wrong`(row: WidgetView.Row, reason: String) {
    let refusal = WidgetView(rows: [.init(title: "good", action: "go"), row]).refusal
    #expect(refusal?.hasPrefix("Row 2 ") == true && refusal?.contains(reason) == true, "\(refusal ?? "")")
  }

  @Test(arguments: ["go", "done:caves/2.b_C-9", String(repeating: "x", count: 128)])
  func `is a short identifier`(action: String) throws {
    let view = WidgetView(rows: [.init(title: "a", action: action)])
    #expect(view.refusal == nil)
    #expect(try JSONCoding.decode(WidgetView.self, from: JSONCoding.value(of: view)) == view)
  }
}
