import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A bundle version` {
  @Test(
    arguments: [
      ("1", "2"), ("1.9", "1.10"), ("1", "1.0.1"), ("0", "0.1"), ("1.2.3", "1.3"), ("9", "10"), ("1.0b3", "1.1"),
      ("", "1"), ("1.", "1.1"),
    ])
  func `is ordered by its numbers`(lower: String, higher: String) {
    #expect(BundleVersion(lower) < BundleVersion(higher))
    #expect(!(BundleVersion(higher) < BundleVersion(lower)))
  }

  @Test(arguments: [("1", "1.0"), ("1.0.0", "1"), ("01", "1"), ("1.0b3", "1.0b4"), ("0", "")])
  func `equals another with the same numbers`(one: String, other: String) {
    #expect(BundleVersion(one) == BundleVersion(other))
    #expect(BundleVersion(one).hashValue == BundleVersion(other).hashValue)
  }

  @Test func `survives numbers of any length`() {
    #expect(BundleVersion("99999999999999999999999") > BundleVersion("1"))
    #expect(BundleVersion("99999999999999999999999").isNumeric)
  }

  @Test(arguments: [("1.2", true), ("1.2b", false), ("", false), ("1..2", false), ("١", false)])
  func `tells whether it is numeric`(text: String, isNumeric: Bool) {
    #expect(BundleVersion(text).isNumeric == isNumeric)
  }
}
