import ExtensionProtocol
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `A machine that coordinates files at its bounds` {
  typealias Machine = FileCoordinatorStateMachine

  private static let own = "com.example.app"
  private var machine = Machine(providerPurpose: own, providerOwner: 9)
  private let error = ExtensionError(.cancelled, "Cancelled.")

  private func claim(
    _ token: UInt64, _ intent: FileProvider.Intent = .read, at path: String = "a", metadataOnly: Bool = false,
    replacing: Bool = false, purpose: String? = nil, owner: UInt64 = 1
  ) -> Machine.Event {
    .claim(
      Machine.Claim(
        token: token, path: path, intent: intent, metadataOnly: metadataOnly, replacing: replacing, purpose: purpose,
        owner: owner))
  }

  // MARK: Numbers

  @Test mutating func `counts what a process waits for as what it has, until it gives something up`() {
    #expect(machine.event(claim(0, .write, replacing: true)) == [.grant(0)])
    for token in 1..<UInt64(Machine.limit) { #expect(machine.event(claim(token, .write, replacing: true)) == []) }
    #expect(machine.event(claim(100, at: "b")) == [.refuse(100, .tooMany)])
    #expect(machine.event(claim(101, at: "b", metadataOnly: true)) == [.refuse(101, .tooMany)])
    #expect(machine.event(claim(102, at: "b", owner: 2)) == [.startProviding("b")])
    #expect(machine.event(.release(5, changed: false)) == [])
    #expect(machine.event(claim(103, .delete)) == [])
    #expect(machine.event(claim(104)) == [.refuse(104, .tooMany)])
  }

  @Test mutating func `has room for another document when one is forgotten`() {
    for number in 0..<UInt64(Machine.itemLimit) {
      #expect(
        machine.event(claim(number, .write, at: "\(number)", replacing: true, owner: number + 10)) == [.grant(number)])
    }
    #expect(machine.event(claim(5_000, .write, at: "new", replacing: true)) == [.refuse(5_000, .tooMany)])
    #expect(machine.event(.release(7, changed: false)) == [] && machine.paths.count == Machine.itemLimit - 1)
    #expect(machine.event(claim(5_001, .write, at: "new", replacing: true)) == [.grant(5_001)])
    #expect(machine.event(claim(5_002, .write, at: "7", replacing: true)) == [.refuse(5_002, .tooMany)])
  }

  // MARK: What is needed

  @Test mutating func `has the content provided for who writes into it, and not for who replaces it`() {
    #expect(machine.event(claim(1, .write, at: "a", replacing: true)) == [.grant(1)])
    #expect(machine.event(claim(2, .write, at: "b")) == [.startProviding("b")])
    // Name and size are nothing to write.
    #expect(machine.event(claim(3, .write, at: "c", metadataOnly: true)) == [.startProviding("c")])
    // Who reads replaces nothing.
    #expect(machine.event(claim(4, at: "d", replacing: true)) == [.startProviding("d")])
    #expect(machine.event(claim(5, .delete, at: "e")) == [.grant(5)])
    #expect(machine.event(claim(6, .move, at: "f")) == [.grant(6)])
    #expect(machine.paths == ["a", "b", "c", "d", "e", "f"])
  }

  @Test mutating func `does not let the provider wait for itself, and for nothing else`() {
    #expect(machine.event(claim(1, owner: 9)) == [.refuse(1, .ownDocument)])
    #expect(machine.event(claim(2, .write, owner: 9)) == [.refuse(2, .ownDocument)])
    #expect(machine.event(claim(3, purpose: "other", owner: 9)) == [.refuse(3, .ownDocument)])
    #expect(machine.paths == [])
    #expect(machine.event(claim(4, .write, at: "b", replacing: true, owner: 9)) == [.grant(4)])
    #expect(machine.event(claim(5, .delete, at: "c", owner: 9)) == [.grant(5)])
    #expect(machine.event(claim(6, at: "d", purpose: Self.own, owner: 9)) == [.grant(6)])
    #expect(machine.event(claim(7, at: "e", metadataOnly: true, owner: 9)) == [.providePlaceholder("e")])
    #expect(machine.event(claim(8, at: "f", owner: 8)) == [.startProviding("f")])
  }

  @Test mutating func `takes what was written as the content, before the provider has heard of it`() {
    #expect(machine.event(claim(1, .write, replacing: true)) == [.grant(1)])
    #expect(machine.event(claim(2)) == [])
    #expect(machine.event(.release(1, changed: true)) == [.itemChanged("a", purpose: nil), .grant(2)])
    #expect(machine.event(claim(3)) == [.grant(3)])
    #expect(machine.event(.release(2, changed: true)) == [], "who reads changes nothing")
    #expect(machine.event(.release(3, changed: true)) == [])
    #expect(machine.event(.changeDelivered("a")) == [.waitIdle("a", pause: 1)])
  }

  @Test mutating func `forgets what a writer did not change`() {
    #expect(machine.event(claim(1, .write, replacing: true)) == [.grant(1)])
    #expect(machine.event(.release(1, changed: false)) == [] && machine.paths == [])
    #expect(machine.event(claim(2, .delete, purpose: Self.own)) == [.grant(2)])
    #expect(machine.event(.release(2, changed: true)) == [] && machine.paths == [], "the provider knows of it")
  }

  // MARK: Who waits for whom

  @Test mutating func `lets those of one purpose pass each other, and nobody without a purpose`() {
    #expect(machine.event(claim(1, .write, replacing: true, purpose: "p")) == [.grant(1)])
    #expect(machine.event(claim(2, .move, purpose: "p")) == [.grant(2)])
    #expect(machine.event(claim(3, .write, replacing: true, purpose: "q")) == [])
    #expect(machine.event(claim(4, .write, replacing: true)) == [])
    #expect(machine.event(claim(5, .delete)) == [])
    #expect(machine.event(.release(1, changed: false)) == [])
    #expect(machine.event(.release(2, changed: false)) == [.grant(3)])
    #expect(machine.event(.release(3, changed: false)) == [.grant(4)])
    #expect(machine.event(.release(4, changed: false)) == [.grant(5)])
  }

  @Test mutating func `tells purposes apart by their bytes`() {
    #expect(machine.event(claim(1, .write, replacing: true, purpose: "\u{E9}")) == [.grant(1)])
    #expect(machine.event(claim(2, .write, replacing: true, purpose: "e\u{301}")) == [])
    #expect(machine.event(claim(3, .write, replacing: true, purpose: "\u{E9}")) == [])
    #expect(machine.event(.release(1, changed: false)) == [.grant(2)])
    // The Kelvin sign, which is the letter K for `String`.
    var other = Machine(providerPurpose: "com.example.K", providerOwner: 9)
    #expect(other.event(claim(4, purpose: "com.example.\u{212A}", owner: 9)) == [.refuse(4, .ownDocument)])
    #expect(other.event(claim(5, purpose: "com.example.K", owner: 9)) == [.grant(5)])
  }

  @Test mutating func `lets a mover wait for every reader`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(.provided("a")) == [.grant(1)])
    #expect(machine.event(claim(2)) == [.grant(2)])
    #expect(machine.event(claim(3, .move)) == [])
    #expect(machine.event(.release(1, changed: false)) == [])
    #expect(machine.event(.release(2, changed: false)) == [.grant(3)])
  }

  @Test mutating func `refuses who is overdue as soon as somebody is in the way`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(.expired(1)) == [], "it waits for the provider")
    #expect(machine.event(claim(2, .write, purpose: Self.own, owner: 9)) == [.grant(2)])
    #expect(machine.event(.provided("a")) == [.refuse(1, .expired)])
    #expect(machine.event(.release(2, changed: false)) == [.waitIdle("a", pause: 1)])
  }

  @Test mutating func `gives up a waiting claim for its owner only`() {
    #expect(machine.event(claim(1, .write, replacing: true)) == [.grant(1)])
    #expect(machine.event(claim(2, .write, replacing: true, owner: 2)) == [])
    #expect(machine.event(claim(3, .write, replacing: true, owner: 3)) == [])
    #expect(machine.event(.giveBack(2, owner: 3)) == [])
    #expect(machine.event(.giveBack(2, owner: 2)) == [])
    #expect(machine.event(.release(1, changed: false)) == [.grant(3)])
  }

  // MARK: Ends

  @Test mutating func `cancels what only those wait for who need no content`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(claim(2, .delete)) == [])
    #expect(machine.event(.release(1, changed: false)) == [.cancelProviding("a")])
    #expect(machine.isCancelling("a") && !machine.isCancelling("b"))
    #expect(machine.event(.providingFailed("a", error)) == [.grant(2)])
    #expect(!machine.isCancelling("a"))
  }

  @Test mutating func `lets nobody use what is being put away`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(.provided("a")) == [.grant(1)])
    #expect(machine.event(.release(1, changed: false)) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(.idle("a", pause: 1)) == [.stopProviding("a")])
    #expect(machine.event(.idle("a", pause: 1)) == [], "it is stopped once")
    #expect(machine.event(claim(2, .delete)) == [])
    #expect(machine.event(.stopped("a")) == [.grant(2)])
  }

  @Test mutating func `numbers the pauses of all documents together`() {
    for (token, path) in [(1, "a"), (2, "b")] as [(UInt64, String)] {
      #expect(machine.event(claim(token, at: path)) == [.startProviding(path)])
      #expect(machine.event(.provided(path)) == [.grant(token)])
      #expect(machine.event(.release(token, changed: false)) == [.waitIdle(path, pause: token)])
    }
    #expect(machine.event(.idle("b", pause: 1)) == [])
    #expect(machine.event(.idle("a", pause: 2)) == [])
    #expect(machine.event(.idle("a", pause: 1)) == [.stopProviding("a")])
    #expect(machine.event(.stopped("a")) == [] && machine.paths == ["b"])
  }

  @Test mutating func `closes document by document: who waits, what is fetched, what was written`() {
    #expect(machine.event(claim(3, at: "b")) == [.startProviding("b")])
    #expect(machine.event(claim(1, .write, replacing: true, owner: 2)) == [.grant(1)])
    #expect(machine.event(claim(2)) == [])
    #expect(machine.event(claim(4, .write, at: "c", replacing: true, owner: 0)) == [.grant(4)])
    #expect(
      machine.event(.close) == [
        .refuse(2, .closed), .itemChanged("a", purpose: nil), .refuse(3, .closed), .cancelProviding("b"),
      ])
    #expect(machine.paths == ["a", "b"], "what the host itself held is forgotten")
    #expect(machine.event(.changeDelivered("a")) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(.provided("b")) == [.waitIdle("b", pause: 2)])
    #expect(machine.event(claim(5, metadataOnly: true)) == [.refuse(5, .closed)])
  }
}
