import Testing

@testable import FeatureCommands

@Suite(.timeLimit(.minutes(1)))
struct `A size for people` {
  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (1_049, "1.0 kB"),
      (1_050, "1.1 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"), (999_999, "1.0 MB"), (1_000_000, "1.0 MB"),
      (3_449_999, "3.4 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"), (1_500_000_000_000, "1.5 TB"),
      (999_950_000_000, "1.0 TB"), (1_000_000_000_000_000, "1000.0 TB"), (.max, "9223372.0 TB"),
    ] as [(Int64, String)])
  func `has the largest unit of which there is one`(bytes: Int64, text: String) {
    #expect(DecimalByteText.of(bytes) == text)
  }
}
