import ExtensionProtocol

/// One document picker from its presentation to its end: which call may come when. Pure.
package struct PickerStateMachine: Sendable {
  /// The stages of a picker.
  package enum State: Sendable, Equatable {
    case idle
    case preparing
    /// The picker is shown, and waits for the user.
    case browsing
    case listing
    case selecting
    /// The host received the choice; the picker must still grant access.
    case waiting
    /// Access was granted, or the user has cancelled.
    case dismissed
    case ended
  }

  /// What happens to a picker.
  package enum Event: Sendable, Equatable, CaseIterable {
    case prepare, prepared
    case list, listed
    case select, selected
    /// The extension refused the choice; the user may choose again.
    case unselected
    /// The picker granted access, and the rules of the mode allow it; or it cancels.
    case dismiss
    /// The scope has ended, or a call has failed.
    case end
  }

  /// Why the state has no place for an event.
  package enum Refusal: Error, Sendable, Equatable {
    /// Nothing is shown, or something else is asked at this moment.
    case notPresented
    case busy
    /// The picker has been dismissed already.
    case dismissed
    case ended
  }

  /// The current stage.
  package private(set) var state = State.idle

  /// Creates a picker that is not presented yet.
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
    case (.selecting, .unselected): state = .browsing
    case (.browsing, .dismiss), (.listing, .dismiss), (.selecting, .dismiss), (.waiting, .dismiss): state = .dismissed
    // The answer of a call during which the picker was dismissed.
    case (.dismissed, .listed), (.dismissed, .selected), (.dismissed, .unselected): break
    case (_, .end): state = .ended
    case (.ended, _): throw .ended
    case (.dismissed, _): throw .dismissed
    case (.idle, _), (.preparing, _): throw .notPresented
    default: throw .busy
    }
  }

  /// Checks whether a grant would be accepted now.
  package func check() throws(Refusal) {
    var copy = self
    try copy.event(.dismiss)
  }
}
