import Synchronization
import Testing

@testable import JSON
@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `A ledger of what is kept for a peer` {
  @Test func `adds up, and remembers the most`() {
    let ledger = PeerLedger(ceiling: 100)
    #expect(ledger.draw(60))
    #expect(ledger.draw(40))
    ledger.giveBack(70)
    #expect(ledger.draw(10))
    #expect(ledger.held == 40)
    #expect(ledger.most == 100)
    #expect(ledger.excess == nil)
  }

  @Test func `tells once who goes over the ceiling, with the figure, and whoever asks later too`() {
    let ledger = PeerLedger(ceiling: 100)
    let heard = Mutex<[PeerLedger.Excess]>([])
    ledger.whenExceeded { excess in heard.withLock { $0.append(excess) } }
    #expect(!ledger.draw(101))
    #expect(!ledger.draw(1))
    ledger.giveBack(102)
    // Once is enough: it is being ended.
    #expect(!ledger.draw(1))
    #expect(heard.withLock { $0.map(\.held) } == [101])
    ledger.whenExceeded { excess in heard.withLock { $0.append(excess) } }
    #expect(heard.withLock { $0.map(\.ceiling) } == [100, 100])
    #expect(ledger.excess?.description.contains("1 MiB are allowed") == true)
  }

  @Test func `refuses to reserve what it has no space for, and nobody is cut off for that`() {
    let ledger = PeerLedger(ceiling: 100)
    #expect(ledger.reserve(60))
    #expect(!ledger.reserve(41))
    #expect(!ledger.reserve(.max))
    #expect(ledger.reserve(40))
    #expect(ledger.excess == nil)
    #expect(PeerLedger().reserve(.max))
  }

  @Test func `gets back what a hold has taken, when the hold goes`() {
    let ledger = PeerLedger(ceiling: 100)
    var hold: LedgerHold? = LedgerHold(on: ledger)
    #expect(hold?.add(30) == true)
    #expect(hold?.reserve(30) == true)
    #expect(hold?.reserve(60) == false)
    #expect(hold?.set(20) == true)
    #expect(ledger.held == 20)
    #expect(hold?.set(50) == true)
    #expect(hold?.held == 50)
    hold = nil
    #expect(ledger.held == 0)
  }

  @Test func `is drawn on in steps by an account, and gets back what that does not need`() {
    let ledger = PeerLedger()
    var account = LedgerAccount(ledger)
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      if Bool.random(using: &numbers) || account.held == 0 {
        account.add(Int.random(in: 0...100_000, using: &numbers))
      } else {
        account.remove(Int.random(in: 0...account.held, using: &numbers))
      }
      #expect(ledger.held >= account.held)
      #expect(ledger.held <= account.held + LedgerAccount.reserve + LedgerAccount.step)
    }
    account.set(0)
    #expect(ledger.held <= LedgerAccount.reserve)
    account.close()
    #expect(ledger.held == 0 && account.held == 0)
  }

  @Test func `is drawn on by whole steps, and gets back what is beyond the reserve of an account`() {
    let ledger = PeerLedger()
    var account = LedgerAccount(ledger)
    let step = LedgerAccount.step
    #expect(step == 65_536 && LedgerAccount.reserve == 4 * step)
    for _ in 0..<2 {
      for (held, drawn) in [(0, 0), (1, 1), (step, 1), (step + 1, 2), (6 * step, 6), (2 * step, 6), (2 * step - 1, 2)] {
        account.set(held)
        #expect(account.held == held && ledger.held == drawn * step, "\(held)")
      }
      account.close()
      account.close()
      #expect(account.held == 0 && ledger.held == 0)
    }
  }

  @Test func `tells a hold that its peer is over the ceiling, and counts what was reserved`() {
    let ledger = PeerLedger(ceiling: 100)
    let hold = LedgerHold(40, on: ledger)
    #expect(hold.held == 40 && ledger.held == 40)
    #expect(hold.reserve(60) && ledger.most == 100 && hold.excess == nil)
    #expect(hold.set(100) && hold.set(90) && ledger.held == 90 && ledger.most == 100)
    #expect(!hold.set(101) && hold.excess == .init(held: 101, ceiling: 100))
    #expect(!hold.add(1) && hold.held == 102 && !hold.reserve(1) && hold.reserve(0))
    #expect(hold.set(3) && ledger.held == 3)
    let excess = PeerLedger.Excess(held: (1 << 20) + 1, ceiling: 1 << 20)
    #expect("\(excess)" == "it held 2 MiB of this side's memory, and 1 MiB are allowed")
  }

  @Test func `is not asked for what an account has in reserve`() {
    let ledger = PeerLedger(ceiling: LedgerAccount.step)
    var account = LedgerAccount(ledger)
    for _ in 0..<1000 {
      account.add(1000)
      #expect(ledger.held == LedgerAccount.step)
      account.remove(1000)
    }
    #expect(ledger.most == LedgerAccount.step)
  }

  @Test func `counts values, not only their text`() throws {
    let objects = "[" + String(repeating: #"{"a":0},"#, count: 999) + #"{"a":0}]"#
    #expect(try JSONValue(parsing: objects).weight > 999 * 2 * JSONValue.bytesOfValue)
    var values = 0
    _ = try Array(objects.utf8).withUnsafeBytes {
      try JSONCoding.decode(JSONValue.self, from: $0, maximumDepth: 10, counting: &values)
    }
    #expect(values == 1 + 3 * 1000)
    #expect(try JSONCoding.weight(of: [String](repeating: "x", count: 100)) >= 100 * JSONValue.bytesOfValue)
    #expect(ErrorObject(code: 1, message: "abc", data: "de").weight >= 5)
  }
}
