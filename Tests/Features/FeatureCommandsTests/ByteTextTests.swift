import CommandLineTool
import Testing

@testable import FeatureCommands
@testable import Transfers

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

@Suite(.timeLimit(.minutes(1)))
struct `The progress of tasks` {
  private func progress(_ tasks: (done: Int64, expected: Int64?)...) -> String {
    let start = TransferInstant(boot: "b", sinceBoot: 0, wall: 0)
    let records = tasks.map { done, expected in
      var record = TransferRecord(
        id: 1, session: SessionKey(app: "a", identifier: "s"), kind: .download,
        request: TransferRequest(url: "https://a.example/x"), deadline: Countdown(.seconds(9), from: start))
      (record.bytesDone, record.bytesExpected) = (done, expected)
      return record
    }
    return SessionList.progress(of: records).description
  }

  @Test func `has the bytes of all of them, and how many there are where that is known of all`() {
    #expect(progress() == "0 bytes")
    #expect(progress((1, nil)) == "1 byte")
    #expect(progress((0, 0)) == "0 bytes of 0 bytes")
    #expect(progress((500, 600), (500, 600)) == "1.0 kB of 1.2 kB")
    #expect(progress((500, 600), (500, nil)) == "1.0 kB" && progress((500, nil), (1, 600)) == "501 bytes")
  }

  @Test func `is never less than nothing, whatever servers say`() {
    #expect(progress((0, .max), (1, .max)) == "1 byte of 9223372.0 TB")
    #expect(progress((.max, nil), (.max, nil), (1, nil)) == "9223372.0 TB")
  }
}
