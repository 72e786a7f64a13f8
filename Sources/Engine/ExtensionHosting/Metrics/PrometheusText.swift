/// Text in the exposition format of Prometheus, version 0.0.4. Names are the writer's own; the values of labels may be
/// anything and are escaped and cut.
public struct PrometheusText: Sendable {
  /// What a family's numbers mean.
  public enum Kind: String, Sendable {
    /// A number that only grows.
    case counter
    /// A number that goes up and down.
    case gauge
    /// How often something took how long.
    case histogram
  }

  /// One family: its samples stand together.
  public struct Family: Sendable {
    fileprivate let name: String
    fileprivate var lines: [String] = []

    /// Adds a number.
    ///
    /// - Parameter labels: names of letters, digits and underscores, with their values.
    public mutating func add(_ value: Int64, _ labels: KeyValuePairs<String, String> = [:]) {
      lines.append("\(name)\(PrometheusText.text(Array(labels))) \(value)")
    }

    /// Adds a histogram of times, in seconds: sixteen steps of a factor of four, from 1 µs on.
    public mutating func add(_ times: LatencyHistogram, _ labels: KeyValuePairs<String, String> = [:]) {
      let labels = Array(labels)
      for (end, count) in times.cumulativeSteps {
        let bound = [(key: "le", value: "\(Double(end) / 1e9)")]
        lines.append("\(name)_bucket\(PrometheusText.text(labels + bound)) \(count)")
      }
      lines.append("\(name)_bucket\(PrometheusText.text(labels + [(key: "le", value: "+Inf")])) \(times.count)")
      lines.append("\(name)_sum\(PrometheusText.text(labels)) \(Double(times.sum) / 1e9)")
      lines.append("\(name)_count\(PrometheusText.text(labels)) \(times.count)")
    }
  }

  /// Bytes of a label's value that are kept.
  public static let labelLimit = 128

  /// The text so far: whole lines.
  public private(set) var text = ""

  /// Makes an empty text.
  public init() {}

  /// Adds a family; one without samples is left out.
  ///
  /// - Parameters:
  ///   - name: letters, digits and underscores; a counter's ends in `_total`, that of times in `_seconds`.
  ///   - help: one sentence of the writer's own.
  ///   - body: adds the samples.
  public mutating func family(_ name: String, _ kind: Kind, _ help: String, _ body: (inout Family) -> Void) {
    var family = Family(name: name)
    body(&family)
    guard !family.lines.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for line in family.lines { text += "\(line)\n" }
  }

  private static func text(_ labels: [(key: String, value: String)]) -> String {
    if labels.isEmpty { return "" }
    return "{\(labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ","))}"
  }

  /// A foreign text as a label's value: on one line, without characters that steer a terminal, and short.
  static func escaped(_ value: String) -> String {
    var text = ""
    var length = 0
    for scalar in value.unicodeScalars {
      length += UTF8.width(scalar)
      if length > labelLimit { return text + "…" }
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: text += "?"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}
