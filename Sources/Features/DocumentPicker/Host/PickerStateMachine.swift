import ExtensionProtocol

/// One document picker from its presentation to its one end, without any waiting: which call may come when.
package struct PickerStateMachine: Sendable {
  package enum State: Sendable, Equatable {
    case idle
    case preparing
    /// It is shown, and waits for the user.
    case browsing
    case listing
    case selecting
    /// The choice was heard; the picker has still to grant access.
    case waiting
    /// Access was granted, or the user has cancelled.
    case dismissed
    case ended
  }

  package enum Event: Sendable, Equatable, CaseIterable {
    case prepare, prepared
    case list, listed
    case select, selected
    /// The picker granted access, and the rules of the mode allow it; or it cancels.
    case dismiss
    /// The scope is over, or a call failed for good.
    case end
  }

  package enum Refusal: Error, Sendable, Equatable {
    /// Nothing is shown, or something else is asked at this moment.
    case notPresented
    case busy
    /// The picker has been dismissed already.
    case dismissed
    case ended
  }

  package private(set) var state = State.idle

  package init() {}

  /// Moves on.
  ///
  /// - Throws: when the state has no place for the event; the state stays.
  package mutating func event(_ event: Event) throws(Refusal) {
    switch (state, event) {
    case (.idle, .prepare): state = .preparing
    case (.preparing, .prepared): state = .browsing
    case (.browsing, .list): state = .listing
    case (.listing, .listed): state = .browsing
    case (.browsing, .select): state = .selecting
    case (.selecting, .selected): state = .waiting
    case (.browsing, .dismiss), (.listing, .dismiss), (.selecting, .dismiss), (.waiting, .dismiss): state = .dismissed
    // The answer of a call during which the picker was dismissed.
    case (.dismissed, .listed), (.dismissed, .selected): break
    case (_, .end): state = .ended
    case (.ended, _): throw .ended
    case (.dismissed, _): throw .dismissed
    case (.idle, _), (.preparing, _): throw .notPresented
    default: throw .busy
    }
  }

  /// Whether a grant would be heard now.
  package func check() throws(Refusal) {
    var copy = self
    try copy.event(.dismiss)
  }
}
