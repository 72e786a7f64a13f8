import ExtensionProtocol
import JSON
import JSONRPC
import Testing

@testable import ExtensionHosting

/// What the host keeps for an extension, and what it says when that is too much.
@Suite(.timeLimit(.minutes(1)))
struct `The memory that is held for an extension` {
  private func error(_ body: () throws(ExtensionError) -> Void) -> ExtensionError? {
    do throws(ExtensionError) { try body() } catch { return error }
    return nil
  }

  @Test func `counts every text of an error`() {
    var error = ExtensionError(
      .invalidParams, "é", recovery: "abc", details: ["k": "vw", "né": 1], cause: ["é!", "x"])
    // A member has 64 bytes beside its name, and its value as many beside its text.
    #expect(error.weight == 2 + 3 + (64 + 1 + 64 + 2) + (64 + 3 + 64) + 3 + 1)
    (error.recovery, error.details, error.cause) = (nil, [:], [])
    #expect(error.weight == 2)
  }

  @Test func `is kept up to the ceiling, and one byte more ends the extension`() {
    let ledger = PeerLedger(ceiling: 10)
    let hold = LedgerHold(on: ledger)
    #expect(error { () throws(ExtensionError) in try hold.keep(bytes: 10) } == nil)
    #expect(hold.held == 10 && ledger.excess == nil)
    let end = ExitReason.hostMemory(held: 11, ceiling: 10)
    // What is kept afterwards is refused too, also where it is nothing.
    for bytes in [1, 0] {
      let refusal = error { () throws(ExtensionError) in try hold.keep(bytes: bytes) }
      #expect(refusal?.code == .peerExited && refusal?.message == "The extension \(end.description).")
      #expect(refusal?.recovery == end.recovery && refusal?.details == end.details)
    }
    #expect(ledger.excess?.held == 11)
  }

  @Test func `has space made before it is taken, and a refusal ends nothing`() {
    let ledger = PeerLedger(ceiling: 10)
    let hold = LedgerHold(on: ledger)
    #expect(error { () throws(ExtensionError) in try hold.makeSpace(for: 9) } == nil)
    for _ in 0..<2 {
      let refusal = error { () throws(ExtensionError) in try hold.makeSpace(for: 2) }
      #expect(refusal?.code == .limitExceeded && refusal?.details == ["bytes": 2])
    }
    #expect(hold.held == 9)
    #expect(error { () throws(ExtensionError) in try hold.makeSpace(for: 1) } == nil)
    #expect(hold.held == 10 && ledger.held == 10 && ledger.excess == nil)
  }

  @Test func `is of a value what its text and its parts take`() throws {
    let hold = LedgerHold(on: PeerLedger())
    try hold.keep("é")
    #expect(hold.held == 4 + 64)
  }
}
