import ExtensionProtocol
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `A machine that coordinates files` {
  typealias Machine = FileCoordinatorStateMachine
  typealias Claim = Machine.Claim

  private static let provider = "com.example.app"
  private var machine = Machine(providerPurpose: provider, providerOwner: 9)

  private func read(_ token: UInt64, purpose: String? = nil, owner: UInt64 = 1) -> Machine.Event {
    .claim(Claim(token: token, path: "a", intent: .read, purpose: purpose, owner: owner))
  }

  private func write(_ token: UInt64, purpose: String? = nil, replacing: Bool = true) -> Machine.Event {
    .claim(Claim(token: token, path: "a", intent: .write, replacing: replacing, purpose: purpose, owner: 2))
  }

  private func glance(_ token: UInt64) -> Machine.Event {
    .claim(Claim(token: token, path: "a", intent: .read, metadataOnly: true, owner: 1))
  }

  @Test mutating func `has a document provided for the first reader only, and lets several read`() {
    #expect(machine.event(read(1)) == [.startProviding("a")])
    #expect(machine.event(read(2)) == [])
    #expect(machine.event(.provided("a")) == [.grant(1), .grant(2)])
    #expect(machine.event(read(3)) == [.grant(3)])
  }

  @Test mutating func `gives every waiting reader the provider's error, and begins anew for the next`() {
    _ = machine.event(read(1))
    _ = machine.event(read(2))
    let error = ExtensionError.fileProvider(.serverUnreachable, "No server.")
    #expect(
      machine.event(.providingFailed("a", error)) == [.refuse(1, .provider(error)), .refuse(2, .provider(error))])
    #expect(machine.paths == [])
    #expect(machine.event(read(3)) == [.startProviding("a")])
  }

  @Test mutating func `has only a placeholder written for who reads name and size`() {
    #expect(machine.event(glance(1)) == [.providePlaceholder("a")])
    #expect(machine.event(glance(2)) == [])
    #expect(machine.event(.placeholderProvided("a")) == [.grant(1), .grant(2)])
    #expect(machine.event(.release(1, changed: false)) == [])
    #expect(machine.event(.release(2, changed: false)) == [])
    #expect(machine.paths == [])
    let error = ExtensionError.fileProvider(.noSuchItem, "Gone.")
    _ = machine.event(glance(3))
    #expect(machine.event(.placeholderFailed("a", error)) == [.refuse(3, .provider(error))])
  }

  @Test mutating func `does not keep who reads name and size waiting for a writer`() {
    #expect(machine.event(write(1)) == [.grant(1)])
    _ = machine.event(glance(2))
    #expect(machine.event(.placeholderProvided("a")) == [.grant(2)])
  }

  @Test mutating func `lets one write at a time, in the order of asking, and tells the provider of each change`() {
    #expect(machine.event(write(1)) == [.grant(1)])
    #expect(machine.event(write(2)) == [])
    #expect(machine.event(read(3)) == [])
    #expect(machine.event(.release(1, changed: true)) == [.itemChanged("a", purpose: nil), .grant(2)])
    #expect(machine.event(.release(2, changed: false)) == [.grant(3)])
  }

  @Test mutating func `takes a claim back from its owner only`() {
    #expect(machine.event(write(1)) == [.grant(1)])
    #expect(machine.event(read(2)) == [])
    #expect(machine.event(.giveBack(1, owner: 1)) == [])
    #expect(machine.event(.giveBack(1, owner: 2)) == [.itemChanged("a", purpose: nil), .grant(2)])
  }

  @Test mutating func `does not let readers pass a writer that waits`() {
    _ = machine.event(read(1))
    _ = machine.event(.provided("a"))
    #expect(machine.event(write(2)) == [])
    #expect(machine.event(read(3)) == [])
    #expect(machine.event(.release(1, changed: false)) == [.grant(2)])
    #expect(machine.event(.release(2, changed: false)) == [.grant(3)])
  }

  @Test mutating func `does not let those of one purpose wait for each other`() {
    #expect(machine.event(write(1, purpose: "p")) == [.grant(1)])
    #expect(machine.event(write(2, purpose: "p")) == [.grant(2)])
    #expect(machine.event(write(3, purpose: "q")) == [])
  }

  @Test mutating func `does not tell the provider of changes with its own purpose`() {
    _ = machine.event(write(1, purpose: Self.provider))
    #expect(machine.event(.release(1, changed: true)) == [.waitIdle("a", pause: 1)])
  }

  @Test mutating func `lets the provider use the document that it is providing, with its purpose and not without`() {
    _ = machine.event(read(1))
    #expect(machine.event(write(2, purpose: Self.provider)) == [.grant(2)])
    let own = Claim(token: 3, path: "a", intent: .read, owner: 9)
    #expect(machine.event(.claim(own)) == [.refuse(3, .ownDocument)])
  }

  @Test mutating func `stops providing after a pause without anybody, and begins again after it`() {
    _ = machine.event(read(1))
    _ = machine.event(.provided("a"))
    #expect(machine.event(.release(1, changed: false)) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(read(2)) == [.grant(2)])
    #expect(machine.event(.idle("a", pause: 1)) == [])
    #expect(machine.event(.release(2, changed: false)) == [.waitIdle("a", pause: 2)])
    #expect(machine.event(.idle("a", pause: 1)) == [])
    #expect(machine.event(.idle("a", pause: 2)) == [.stopProviding("a")])
    #expect(machine.event(read(3)) == [])
    #expect(machine.event(.stopped("a")) == [.startProviding("a")])
  }

  @Test mutating func `waits for the provider to hear of a change before it stops providing`() {
    _ = machine.event(write(1))
    #expect(machine.event(.release(1, changed: true)) == [.itemChanged("a", purpose: nil)])
    #expect(machine.event(.changeDelivered("a")) == [.waitIdle("a", pause: 1)])
  }

  @Test mutating func `cancels a provision that nobody wants any more, and begins anew for who comes meanwhile`() {
    _ = machine.event(read(1))
    #expect(machine.event(.release(1, changed: false)) == [.cancelProviding("a")])
    #expect(machine.isCancelling("a"))
    #expect(machine.event(read(2)) == [])
    let error = ExtensionError(.cancelled, "Cancelled.")
    #expect(machine.event(.providingFailed("a", error)) == [.startProviding("a")])
  }

  @Test mutating func `refuses who has waited too long for others, and never who waits for the provider`() {
    _ = machine.event(write(1))
    #expect(machine.event(read(2)) == [])
    #expect(machine.event(.expired(2)) == [.refuse(2, .expired)])
    #expect(machine.event(.release(1, changed: false)) == [])
    #expect(machine.event(read(3)) == [.startProviding("a")])
    #expect(machine.event(.expired(3)) == [])
    #expect(machine.event(.provided("a")) == [.grant(3)])
    #expect(machine.event(.expired(3)) == [])
  }

  @Test mutating func `releases what a process held and asked for when it exits, and counts its writing as a change`() {
    _ = machine.event(write(1))
    _ = machine.event(read(2))
    #expect(machine.event(.ownerExited(2)) == [.itemChanged("a", purpose: nil), .grant(2)])
    #expect(machine.event(.ownerExited(1)) == [])
  }

  @Test(arguments: [FileProvider.Intent.delete, .move])
  mutating func `needs no content to delete or move, and has it provided anew afterwards`(intent: FileProvider.Intent) {
    #expect(machine.event(.claim(Claim(token: 1, path: "a", intent: intent))) == [.grant(1)])
    #expect(machine.event(.release(1, changed: true)) == [.itemChanged("a", purpose: nil)])
    #expect(machine.event(.changeDelivered("a")) == [])
    #expect(machine.event(read(2)) == [.startProviding("a")])
  }

  /// Each is looked through for each claim, and stays for some time after its last.
  @Test mutating func `keeps a number of documents in mind and no more`() {
    func look(at path: Int, _ token: UInt64) -> Machine.Event {
      .claim(Claim(token: token, path: "\(path)", intent: .read, metadataOnly: true, owner: token))
    }
    for path in 0..<Machine.itemLimit { _ = machine.event(look(at: path, UInt64(path + 10))) }
    #expect(machine.paths.count == Machine.itemLimit)
    #expect(machine.event(look(at: Machine.itemLimit, 5)) == [.refuse(5, .tooMany)])
    #expect(machine.event(look(at: 0, 6)) != [.refuse(6, .tooMany)])
  }

  @Test mutating func `keeps documents apart whose names are two spellings of an accent`() {
    for (token, name) in [(1, "\u{E9}"), (2, "e\u{301}")] as [(UInt64, String)] {
      let claim = Claim(token: token, path: name, intent: .write, replacing: true)
      #expect(machine.event(.claim(claim)) == [.grant(token)])
    }
    guard case .itemChanged(let path, _)? = machine.event(.release(2, changed: true)).first else {
      Issue.record("nobody is told of the change")
      return
    }
    #expect(path.utf8.elementsEqual("e\u{301}".utf8))
    #expect(machine.event(.release(1, changed: false)) == [])
    #expect(machine.paths.map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
  }

  @Test mutating func `gives each process a number of claims and no more`() {
    for token in 0..<UInt64(Machine.limit) { #expect(machine.event(write(token, purpose: "p")) == [.grant(token)]) }
    #expect(machine.event(write(100, purpose: "p")) == [.refuse(100, .tooMany)])
    #expect(machine.event(.claim(Claim(token: 101, path: "b", intent: .write, replacing: true))) == [.grant(101)])
  }

  @Test mutating func `takes everything back when it closes, and nothing after`() {
    _ = machine.event(write(1))
    _ = machine.event(read(2))
    _ = machine.event(.claim(Claim(token: 3, path: "b", intent: .read)))
    let actions = machine.event(.close)
    #expect(actions.contains(.refuse(2, .closed)))
    #expect(actions.contains(.refuse(3, .closed)))
    #expect(actions.contains(.cancelProviding("b")))
    #expect(actions.contains(.itemChanged("a", purpose: nil)))
    let idle = machine.event(.changeDelivered("a"))
    guard case .waitIdle(_, let pause)? = idle.last else {
      Issue.record("\(idle)")
      return
    }
    #expect(machine.event(.idle("a", pause: pause)) == [.stopProviding("a")])
    _ = machine.event(.stopped("a"))
    _ = machine.event(.providingFailed("b", ExtensionError(.cancelled, "")))
    #expect(machine.paths == [])
    #expect(machine.event(read(4)) == [.refuse(4, .closed)])
  }
}
