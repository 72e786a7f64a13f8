import Contracts
package import ExtensionProtocol
import Text

/// Decides which claims may use which document: several readers or one writer for each path, in the order of the
/// claims; and which calls the provider needs. Pure.
package struct FileCoordinatorStateMachine: Sendable {
  /// A request to use a document.
  package struct Claim: Sendable, Equatable {
    /// The number of the claim, unique within the coordinator.
    package var token: UInt64
    /// The path of the document, relative to the storage.
    package var path: String
    /// Whether the claim reads, writes, moves or deletes.
    package var intent: FileProvider.Intent
    /// Whether the metadata is enough, so that the content need not be provided.
    package var metadataOnly: Bool
    /// Whether the write replaces the whole document, so that the old content need not be provided.
    package var replacing: Bool
    /// The `purposeIdentifier` of the claiming process; `nil` without one.
    package var purpose: String?
    /// The process that asks; 0 is the host itself.
    package var owner: UInt64
    /// Whether the claim's time has passed: it is refused when another claim needs the document.
    var isOverdue = false

    /// Creates a claim. `metadataOnly` has no effect on anything but a read.
    package init(
      token: UInt64, path: String, intent: FileProvider.Intent, metadataOnly: Bool = false, replacing: Bool = false,
      purpose: String? = nil, owner: UInt64 = 0
    ) {
      self.token = token
      self.path = path
      self.intent = intent
      self.metadataOnly = metadataOnly && intent == .read
      self.replacing = replacing
      self.purpose = purpose
      self.owner = owner
    }

    var isExclusive: Bool { intent != .read }
    var needsContent: Bool { intent == .read && !metadataOnly || intent == .write && !replacing }
  }

  /// What happens to claims and documents.
  package enum Event: Sendable, Equatable {
    case claim(Claim)
    case placeholderProvided(String)
    case placeholderFailed(String, ExtensionError)
    case provided(String)
    case providingFailed(String, ExtensionError)
    /// A holder releases the claim, or a waiting one gives up.
    case release(UInt64, changed: Bool)
    /// A process releases its claim; a token of another process is ignored.
    case giveBack(UInt64, owner: UInt64)
    case expired(UInt64)
    case ownerExited(UInt64)
    /// The provider has answered the notification of a change.
    case changeDelivered(String)
    /// The numbered pause that `waitIdle` asked for has passed.
    case idle(String, pause: UInt64)
    case stopped(String)
    /// Everybody is done.
    case close
  }

  /// Why a claim is not granted.
  package enum Refusal: Sendable, Equatable {
    case provider(ExtensionError)
    /// Another claim was in its way for too long.
    case expired
    /// The provider waits for itself.
    case ownDocument
    case tooMany
    case closed
  }

  /// What the coordinator does after an event.
  package enum Action: Sendable, Equatable {
    case providePlaceholder(String)
    case startProviding(String)
    case cancelProviding(String)
    case grant(UInt64)
    case refuse(UInt64, Refusal)
    case itemChanged(String, purpose: String?)
    case waitIdle(String, pause: UInt64)
    case stopProviding(String)
  }

  enum Content: Sendable { case absent, providing, cancelling, present, stopping }

  struct Item: Sendable {
    var content = Content.absent
    var isPlaceholderUnderway = false
    var held: [Claim] = []
    var queue: [Claim] = []
    /// The number of changes without an answer of the provider.
    var changes = 0
    /// The last pause after which it may be stopped.
    var pause: UInt64 = 0

    var isUnused: Bool { held.isEmpty && queue.isEmpty && changes == 0 }
  }

  /// The most claims of one process.
  package static let limit = 64
  /// The most documents that are in use, or were a moment ago.
  package static let itemLimit = 1024

  /// By path.
  var items: [ExactText: Item] = [:]
  private var pause: UInt64 = 0
  private var isClosed = false
  private let providerPurpose: String
  private let providerOwner: UInt64?

  /// - Parameters:
  ///   - providerPurpose: the provider's own `purposeIdentifier`.
  ///   - providerOwner: the provider's process.
  package init(providerPurpose: String, providerOwner: UInt64? = nil) {
    self.providerPurpose = providerPurpose
    self.providerOwner = providerOwner
  }

  /// The paths that are in use or being provided.
  package var paths: [String] { items.keys.sorted().map(\.text) }

  /// Whether a provision is to end before its time.
  func isCancelling(_ path: String) -> Bool { items[ExactText(path)]?.content == .cancelling }

  /// Handles an event.
  ///
  /// - Returns: what to do, in order.
  package mutating func event(_ event: Event) -> [Action] {
    switch event {
    case .claim(let claim): return add(claim)
    case .placeholderProvided(let path), .placeholderFailed(let path, _):
      items[ExactText(path)]?.isPlaceholderUnderway = false
      var actions: [Action] = []
      var grants: [Claim] = []
      items[ExactText(path)]?.queue.removeAll { claim in
        guard claim.metadataOnly else { return false }
        if case .placeholderFailed(_, let error) = event {
          actions.append(.refuse(claim.token, .provider(error)))
        } else {
          grants.append(claim)
          actions.append(.grant(claim.token))
        }
        return true
      }
      items[ExactText(path)]?.held += grants
      return actions + advance(path)
    case .provided(let path):
      items[ExactText(path)]?.content = .present
      return advance(path)
    case .providingFailed(let path, let error): return providingFailed(path, error)
    case .release(let token, let changed): return release(token, changed: changed)
    case .giveBack(let token, let owner):
      let isOwn = items.values.contains { ($0.held + $0.queue).contains { $0.token == token && $0.owner == owner } }
      return isOwn ? release(token, changed: true) : []
    case .expired(let token): return expire(token)
    case .ownerExited(let owner):
      let tokens = items.values.flatMap { $0.held + $0.queue }.filter { $0.owner == owner }.map(\.token)
      return tokens.sorted().flatMap { release($0, changed: true) }
    case .changeDelivered(let path):
      items[ExactText(path)]?.changes -= 1
      return advance(path)
    case .idle(let path, let pause):
      guard let item = items[ExactText(path)], item.pause == pause, item.isUnused, item.content == .present
      else { return [] }
      items[ExactText(path)]?.content = .stopping
      return [.stopProviding(path)]
    case .stopped(let path):
      items[ExactText(path)]?.content = .absent
      return advance(path)
    case .close: return close()
    }
  }

  // MARK: - Claims

  private mutating func add(_ claim: Claim) -> [Action] {
    if isClosed { return [.refuse(claim.token, .closed)] }
    let count = items.values.reduce(0) { count, item in
      count + (item.held + item.queue).count { $0.owner == claim.owner }
    }
    let isKnown = items[ExactText(claim.path)] != nil
    guard count < Self.limit, isKnown || items.count < Self.itemLimit else { return [.refuse(claim.token, .tooMany)] }
    let waitsForItself = claim.owner == providerOwner && claim.needsContent && !isProviders(claim)
    if waitsForItself { return [.refuse(claim.token, .ownDocument)] }
    items[ExactText(claim.path), default: Item()].queue.append(claim)
    return advance(claim.path)
  }

  private func isProviders(_ claim: Claim) -> Bool { claim.purpose?.hasBytes(of: providerPurpose) == true }

  /// Whether two claims conflict. Claims with the same purpose never do, and a claim for name and size conflicts with
  /// none.
  private static func conflict(_ one: Claim, _ other: Claim) -> Bool {
    if one.metadataOnly || other.metadataOnly { return false }
    if let purpose = one.purpose, other.purpose?.hasBytes(of: purpose) == true { return false }
    return one.isExclusive || other.isExclusive
  }

  /// Grants what can be granted, in the order in which it was asked for, and has provided what is missing for it.
  private mutating func advance(_ path: String) -> [Action] {
    guard var item = items[ExactText(path)] else { return [] }
    var actions: [Action] = []
    var waiting: [Claim] = []
    for claim in item.queue {
      // The provider's own claims pass those that wait for the provider.
      let others = isProviders(claim) ? item.held : item.held + waiting
      let isBlocked = others.contains { Self.conflict($0, claim) }
      if isBlocked, claim.isOverdue {
        actions.append(.refuse(claim.token, .expired))
      } else if isBlocked || !Self.prepare(&item, for: claim, isProviders: isProviders(claim), &actions) {
        waiting.append(claim)
      } else {
        item.held.append(claim)
        actions.append(.grant(claim.token))
      }
    }
    item.queue = waiting
    if item.isUnused, item.content == .present {
      pause += 1
      item.pause = pause
      actions.append(.waitIdle(path, pause: pause))
    }
    items[ExactText(path)] = item.isUnused && item.content == .absent && !item.isPlaceholderUnderway ? nil : item
    return actions
  }

  /// Whether what a claim needs is there.
  private static func prepare(
    _ item: inout Item, for claim: Claim, isProviders: Bool, _ actions: inout [Action]
  ) -> Bool {
    if isProviders { return true }
    if claim.metadataOnly {
      if item.content == .present { return true }
      if !item.isPlaceholderUnderway { actions.append(.providePlaceholder(claim.path)) }
      item.isPlaceholderUnderway = true
      return false
    }
    switch item.content {
    case .present: return true
    case .providing, .cancelling, .stopping: return false
    case .absent:
      guard claim.needsContent else { return true }
      item.content = .providing
      actions.append(.startProviding(claim.path))
      return false
    }
  }

  private mutating func providingFailed(_ path: String, _ error: ExtensionError) -> [Action] {
    guard let item = items[ExactText(path)] else { return [] }
    items[ExactText(path)]?.content = .absent
    // A claim that came after the cancellation has the document provided again.
    if item.content == .cancelling { return advance(path) }
    let failed = item.queue.filter { $0.needsContent && !isProviders($0) }
    items[ExactText(path)]?.queue.removeAll { failed.contains($0) }
    return failed.map { .refuse($0.token, .provider(error)) } + advance(path)
  }

  // MARK: - Ends

  private mutating func release(_ token: UInt64, changed: Bool) -> [Action] {
    guard let path = items.first(where: { ($0.value.held + $0.value.queue).contains { $0.token == token } })?.key.text
    else { return [] }
    var actions: [Action] = []
    if let index = items[ExactText(path)]?.held.firstIndex(where: { $0.token == token }),
      let claim = items[ExactText(path)]?.held.remove(at: index)
    {
      if claim.isExclusive, changed {
        switch items[ExactText(path)]?.content {
        // The provider is at it, and says itself what comes of that.
        case .providing, .cancelling, .stopping: break
        default: items[ExactText(path)]?.content = claim.intent == .write ? .present : .absent
        }
        if !isProviders(claim) {
          items[ExactText(path)]?.changes += 1
          actions.append(.itemChanged(path, purpose: claim.purpose))
        }
      }
    } else {
      items[ExactText(path)]?.queue.removeAll { $0.token == token }
      actions += cancelUnwanted(path)
    }
    return actions + advance(path)
  }

  /// Cancels a provision that no claim waits for any longer.
  private mutating func cancelUnwanted(_ path: String) -> [Action] {
    guard let item = items[ExactText(path)], item.content == .providing, !item.queue.contains(where: \.needsContent)
    else { return [] }
    items[ExactText(path)]?.content = .cancelling
    return [.cancelProviding(path)]
  }

  private mutating func expire(_ token: UInt64) -> [Action] {
    for (path, item) in items {
      guard let index = item.queue.firstIndex(where: { $0.token == token }) else { continue }
      items[path]?.queue[index].isOverdue = true
      return advance(path.text)
    }
    return []
  }

  private mutating func close() -> [Action] {
    isClosed = true
    var actions: [Action] = []
    for (path, item) in items.sorted(by: { $0.key < $1.key }) {
      items[path]?.queue = []
      actions += item.queue.map { .refuse($0.token, .closed) } + cancelUnwanted(path.text)
      for claim in item.held { actions += release(claim.token, changed: claim.owner != 0) }
      actions += advance(path.text)
    }
    return actions
  }
}
