/// Numbers, or collections of them, that show by their decoding whether there are bounds.
protocol BoundsProbe {
  /// A value outside of any bounds.
  static var outside: Self { get }
  /// The value nearest to zero that lies in a range.
  static func inside(_ range: ClosedRange<Int>) -> Self
}

extension BoundsProbe where Self: FixedWidthInteger {
  static var outside: Self { max }
  static func inside(_ range: ClosedRange<Int>) -> Self {
    Self(clamping: Swift.min(Swift.max(0, range.lowerBound), range.upperBound))
  }
}

extension Int: BoundsProbe {}
extension Int64: BoundsProbe {}
extension UInt32: BoundsProbe {}
extension UInt64: BoundsProbe {}

extension Double: BoundsProbe {
  static var outside: Double { .greatestFiniteMagnitude }
  static func inside(_ range: ClosedRange<Int>) -> Double { Double(Int.inside(range)) }
}

extension Optional: BoundsProbe where Wrapped: BoundsProbe {
  static var outside: Wrapped? { Wrapped.outside }
  static func inside(_ range: ClosedRange<Int>) -> Wrapped? { Wrapped.inside(range) }
}

extension Array: BoundsProbe where Element: BoundsProbe {
  static var outside: [Element] { [Element.outside] }
  static func inside(_ range: ClosedRange<Int>) -> [Element] { [] }
}

extension Dictionary: BoundsProbe where Key == String, Value: BoundsProbe {
  static var outside: [String: Value] { ["": Value.outside] }
  static func inside(_ range: ClosedRange<Int>) -> [String: Value] { [:] }
}
