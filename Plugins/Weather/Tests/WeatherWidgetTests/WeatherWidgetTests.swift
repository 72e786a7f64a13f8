import AppExtensions
import ExtensionTesting
import Testing

@testable import WeatherWidget

@Suite(.timeLimit(.minutes(1))) struct `The widget` {
  private static func update(_ values: [String: PropertyListValue]) async throws -> UpdateResult {
    let host = TestHost(services: [DefaultsService(store: .inMemory([WeatherWidget.suite: values]))])
    let identity = Caller.Identity.testing(groups: [WeatherWidget.suite])
    return try await host.withExtension(WeatherWidget.self, identity: identity) { try await $0.performUpdate() }
  }

  @Test func `shows a row for each place, and leaves out what is no forecast`() async throws {
    let bern: PropertyListValue = .dictionary([
      "place": .string("Bern"), "sky": .string("Snow"), "low": .integer(-3), "high": .integer(2),
    ])
    let row = WidgetView.Row(title: "Bern", subtitle: "Snow", value: "-3 to 2 °C")
    let result = try await Self.update(["forecast": .array([bern, .string("no forecast")])])
    #expect(result == .newData(WidgetView(title: "Weather", rows: [row])))
  }

  @Test func `says that there is nothing yet`() async throws {
    #expect(try await Self.update([:]) == .newData(WidgetView(title: "Weather", text: "There is no forecast yet.")))
  }
}
