import AppExtensions

/// Shows the forecast that somebody keeps in the group store, place by place.
@main
struct WeatherWidget: TodayExtension {
  static let suite = "group.com.example.weather"

  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let stored = try await context.defaults(suiteName: Self.suite).dictionaryRepresentation()["forecast"]
    let days = (stored?.arrayValue ?? []).compactMap(Day.init)
    guard !days.isEmpty else { return .newData(WidgetView(title: "Weather", text: "There is no forecast yet.")) }
    return .newData(WidgetView(title: "Weather", rows: days.map(\.row)))
  }
}

/// The weather of one place.
struct Day {
  let place: String
  let sky: String
  let low: Int64
  let high: Int64

  /// - Returns: `nil` for a value that is no forecast: whoever wrote it may have had something else in mind.
  init?(_ value: PropertyListValue) {
    guard let place = value["place"]?.stringValue, let low = value["low"]?.integerValue,
      let high = value["high"]?.integerValue
    else { return nil }
    self.place = place
    sky = value["sky"]?.stringValue ?? ""
    self.low = low
    self.high = high
  }

  var row: WidgetView.Row { WidgetView.Row(title: place, subtitle: sky, value: "\(low) to \(high) °C") }
}
