import ExtensionProtocol
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `Late news for a machine that coordinates files` {
  typealias Machine = FileCoordinatorStateMachine
  typealias Claim = Machine.Claim

  private var machine = Machine(providerPurpose: "com.example.app", providerOwner: 9)
  private let error = ExtensionError(.cancelled, "Cancelled.")

  private func claim(
    _ token: UInt64, _ intent: FileProvider.Intent = .read, metadataOnly: Bool = false, purpose: String? = nil,
    owner: UInt64 = 1
  ) -> Machine.Event {
    .claim(
      Claim(
        token: token, path: "a", intent: intent, metadataOnly: metadataOnly, replacing: true, purpose: purpose,
        owner: owner))
  }

  @Test mutating func `about a document that nobody uses changes nothing`() {
    for event: Machine.Event in [
      .provided("a"), .providingFailed("a", error), .placeholderProvided("a"), .placeholderFailed("a", error),
      .changeDelivered("a"), .idle("a", pause: 0), .stopped("a"), .release(1, changed: true), .expired(1),
      .ownerExited(0), .giveBack(1, owner: 1),
    ] {
      #expect(machine.event(event) == [], "\(event)")
      #expect(machine.paths == [])
    }
    #expect(machine.event(claim(1)) == [.startProviding("a")])
  }

  @Test mutating func `waits until the provider has heard of each of several changes`() {
    #expect(machine.event(claim(1, .write, purpose: "p")) == [.grant(1)])
    #expect(machine.event(claim(2, .write, purpose: "p")) == [.grant(2)])
    #expect(machine.event(.release(1, changed: true)) == [.itemChanged("a", purpose: "p")])
    #expect(machine.event(.release(2, changed: true)) == [.itemChanged("a", purpose: "p")])
    #expect(machine.event(.changeDelivered("a")) == [])
    #expect(machine.event(.changeDelivered("a")) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(.release(2, changed: true)) == [], "what was given back is not given back again")
  }

  @Test mutating func `of a failure leaves those who need no content`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(claim(2, .delete)) == [])
    #expect(machine.event(.providingFailed("a", error)) == [.refuse(1, .provider(error)), .grant(2)])
  }

  @Test mutating func `of a placeholder leaves those who need the content, and is asked for again`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(claim(2, metadataOnly: true)) == [.providePlaceholder("a")])
    #expect(machine.event(.placeholderFailed("a", error)) == [.refuse(2, .provider(error))])
    #expect(machine.event(claim(3, metadataOnly: true)) == [.providePlaceholder("a")])
    #expect(machine.event(.placeholderProvided("a")) == [.grant(3)])
    #expect(machine.event(.provided("a")) == [.grant(1)])
    #expect(machine.event(claim(4, metadataOnly: true)) == [.grant(4)])
  }

  @Test mutating func `cancels nothing while somebody else still wants the content`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(claim(2)) == [])
    #expect(machine.event(.release(1, changed: false)) == [] && !machine.isCancelling("a"))
    #expect(machine.event(.release(2, changed: false)) == [.cancelProviding("a")])
    #expect(machine.event(.release(2, changed: false)) == [])
    #expect(machine.event(.providingFailed("a", error)) == [] && machine.paths == [])
  }

  @Test mutating func `of a content that came in spite of the cancellation serves who came meanwhile`() {
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(.release(1, changed: false)) == [.cancelProviding("a")])
    #expect(machine.event(claim(2)) == [])
    #expect(machine.event(.provided("a")) == [.grant(2)])
  }

  @Test mutating func `of a placeholder is waited for, though who asked for it has gone`() {
    #expect(machine.event(claim(1, metadataOnly: true)) == [.providePlaceholder("a")])
    #expect(machine.event(.release(1, changed: false)) == [] && machine.paths == ["a"])
    #expect(machine.event(claim(2, metadataOnly: true)) == [], "it is on its way")
    #expect(machine.event(.placeholderProvided("a")) == [.grant(2)])
    #expect(machine.event(.release(2, changed: false)) == [] && machine.paths == [])
    #expect(machine.event(claim(3, metadataOnly: true)) == [.providePlaceholder("a")])
    #expect(machine.event(.release(3, changed: false)) == [])
    #expect(machine.event(.placeholderFailed("a", error)) == [] && machine.paths == [], "nobody is told")
  }

  @Test(arguments: [FileProvider.Intent.write, .delete])
  mutating func `of a change by the provider leaves what it is doing as it is`(intent: FileProvider.Intent) {
    let own = "com.example.app"
    #expect(machine.event(claim(1)) == [.startProviding("a")])
    #expect(machine.event(claim(2, intent, purpose: own, owner: 9)) == [.grant(2)])
    #expect(machine.event(.release(2, changed: true)) == [], "the content is not there before the provider says so")
    #expect(machine.event(.provided("a")) == [.grant(1)])
    #expect(machine.event(.release(1, changed: false)) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(.idle("a", pause: 1)) == [.stopProviding("a")])
    #expect(machine.event(claim(3, intent, purpose: own, owner: 9)) == [.grant(3)])
    #expect(machine.event(.release(3, changed: true)) == [])
    #expect(machine.event(claim(4)) == [], "it is still being put away")
    #expect(machine.event(.stopped("a")) == [.startProviding("a")])
    #expect(machine.event(.release(4, changed: false)) == [.cancelProviding("a")])
    #expect(machine.event(claim(5, intent, purpose: own, owner: 9)) == [.grant(5)])
    #expect(machine.event(.release(5, changed: true)) == [] && machine.isCancelling("a"))
    #expect(machine.event(.providingFailed("a", error)) == [] && machine.paths == [])
  }

  @Test mutating func `of the end comes once, and the host's own writing is no change then`() {
    #expect(machine.event(claim(1, .write, owner: 0)) == [.grant(1)])
    #expect(machine.event(.close) == [] && machine.paths == [])
    #expect(machine.event(.close) == [])
    #expect(machine.event(claim(2, .write)) == [.refuse(2, .closed)])
  }

  @Test mutating func `of the exit of a process concerns its own claims`() {
    #expect(machine.event(claim(1, owner: 1)) == [.startProviding("a")])
    #expect(machine.event(.provided("a")) == [.grant(1)])
    #expect(machine.event(claim(2, owner: 2)) == [.grant(2)])
    #expect(machine.event(.ownerExited(1)) == [])
    #expect(machine.event(.ownerExited(2)) == [.waitIdle("a", pause: 1)])
    #expect(machine.event(.ownerExited(2)) == [])
  }
}
