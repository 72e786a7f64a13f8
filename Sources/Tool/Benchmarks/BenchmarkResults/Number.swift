/// Numbers as people read them.
package enum Number {
  /// A number with a fixed number of digits after the point.
  package static func text(_ value: Double, digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    var power = 1.0
    for _ in 0..<digits { power *= 10 }
    let scaled = (abs(value) * power).rounded()
    let whole = Int64(scaled / power)
    let rest = Int64(scaled - Double(whole) * power)
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(rest)
    return "\(sign)\(whole).\(String(repeating: "0", count: max(0, digits - fraction.count)))\(fraction)"
  }

  /// About three digits that matter, thousands as `k`, millions as `M`.
  package static func text(_ value: Double) -> String {
    switch abs(value) {
    case 10_000_000...: "\(text(value / 1_000_000, digits: 1)) M"
    case 1_000_000...: "\(text(value / 1_000_000, digits: 2)) M"
    case 10_000...: "\(text(value / 1000, digits: 0)) k"
    case 100...: text(value, digits: 0)
    case 10...: text(value, digits: 1)
    case 0.1...: text(value, digits: 2)
    default: text(value, digits: 3)
    }
  }
}
