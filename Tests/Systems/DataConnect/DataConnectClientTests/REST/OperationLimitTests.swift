import JSON
import Testing

@testable import DataConnectClient

/// What is refused before anything is sent, at the exact bounds.
@Suite(.timeLimit(.minutes(1)))
struct `The limits of an operation` {
  private func refusal(_ operation: DataOperation, requestBytes: Int = 4 << 20) -> DataConnectFailure? {
    var limits = DataConnectClient.Limits()
    limits.requestBytes = requestBytes
    do throws(DataConnectFailure) {
      try limits.check(operation)
      return nil
    } catch {
      return error
    }
  }

  @Test func `are a name of 1 to 256 letters, digits and underscores`() {
    let longest = String(repeating: "a", count: 253) + "_Z9"
    for name in [longest, "_", "A", "az09AZ"] {
      #expect(refusal(DataOperation(name, kind: .query)) == nil, "\(name)")
    }
    let others = ["", longest + "a", "é", "a\u{301}", "ａ", "/", ":", "@", "[", "`", "{", "a\n", "a-b"]
    for name in others {
      let failure = refusal(DataOperation(name, kind: .mutation))
      #expect(failure?.code == .invalidArgument, "\(name)")
      #expect(failure?.message.contains("is not a name of an operation") == true)
    }
  }

  @Test func `are so many bytes of variables, as they are sent`() {
    let operation = DataOperation("q", kind: .query, variables: ["é": .string(String(repeating: "é", count: 500))])
    let size = JSONValue.object(operation.variables).description.utf8.count
    #expect(size == 1_009)
    #expect(refusal(operation, requestBytes: size) == nil)
    let failure = refusal(operation, requestBytes: size - 1)
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message == "The variables of \"q\" are larger than 1008 bytes.")
    let usual = DataConnectClient.Limits()
    #expect(usual.requestBytes == 4 << 20 && usual.answerBytes == 16 << 20 && usual.cacheBytes == 64 << 20)
    #expect(usual.timeout == .seconds(30))
  }
}
