import Contracts

/// One text field and its keyboards: which keyboard has the field, and which action follows from an event. Pure.
package struct KeyboardSessionStateMachine: Sendable {
  /// Which keyboard has the field.
  package enum State: Sendable, Equatable {
    case idle
    /// The custom keyboard has the field.
    case custom
    /// The system's keyboard has the field while its traits require that.
    case replaced(Keyboard.End.Reason)
    /// The custom keyboard failed: the system's has the field to the end.
    case failed
    /// The custom keyboard has left the field.
    case left(Keyboard.End.Reason)
    /// The field is done with.
    case closed
  }

  /// What happens to the field and to its keyboard.
  package enum Event: Sendable, Equatable {
    /// The field gets the keyboard, or its traits change; why the system's keyboard has to take over, if it has to.
    case traits(replacement: Keyboard.End.Reason?)
    case key
    /// The keyboard's edits for a key that was asked about in a tenure.
    case answer(tenure: Int)
    /// The keyboard changes the text by itself, or asks for something.
    case call
    /// The user, or the keyboard for the user, goes to the next keyboard.
    case advance
    case dismiss
    /// A call of a tenure failed, came too late, or made no sense.
    case failed(tenure: Int)
    case close
  }

  /// What the session does after an event.
  package enum Action: Sendable, Equatable {
    case begin
    case end(Keyboard.End.Reason)
    /// Turn the marked text into normal text, because no keyboard will decide about it.
    case unmark
    /// The custom keyboard is asked what a key does.
    case ask(tenure: Int)
    /// The keyboard's edits are applied.
    case apply
    /// Insert the key unchanged.
    case insert
  }

  /// The current stage.
  package private(set) var state = State.idle
  /// Counts how often the custom keyboard got the field: what it answers late is not for its next turn.
  package private(set) var tenure = 0

  /// Creates the state of a field that has no keyboard yet.
  package init() {}

  /// - Throws: `noSession` for what needs a keyboard that has the field, when it does not have it.
  package mutating func event(_ event: Event) throws(KeyboardRefusal) -> [Action] {
    switch (state, event) {
    case (.idle, .traits(let reason)), (.replaced, .traits(let reason)):
      if let reason { return move(to: .replaced(reason)) }
      tenure += 1
      return move(to: .custom, .begin)
    case (.custom, .traits(let reason?)): return move(to: .replaced(reason), .unmark, .end(reason))
    case (.custom, .traits), (.failed, .traits), (.left, .traits): return []
    case (.custom, .key): return [.ask(tenure: tenure)]
    case (.replaced, .key), (.failed, .key), (.left, .key): return [.insert]
    // A keyboard may write and then go, in one key.
    case (.custom, .answer(tenure)), (.left, .answer(tenure)): return [.apply]
    case (_, .answer): return [.insert]
    case (.custom, .call): return []
    case (.custom, .advance): return move(to: .left(.switched), .unmark, .end(.switched))
    case (.custom, .dismiss): return move(to: .left(.dismissed), .unmark, .end(.dismissed))
    case (.custom, .failed(tenure)): return move(to: .failed, .unmark, .insert)
    case (_, .failed): return [.insert]
    case (.custom, .close): return move(to: .closed, .unmark, .end(.dismissed))
    case (_, .close): return move(to: .closed)
    default: throw .noSession
    }
  }

  private mutating func move(to state: State, _ actions: Action...) -> [Action] {
    self.state = state
    return actions
  }
}

/// The reason a keyboard's call is refused.
package enum KeyboardRefusal: Error, Sendable, Equatable {
  /// The keyboard does not have a text field.
  case noSession
}
