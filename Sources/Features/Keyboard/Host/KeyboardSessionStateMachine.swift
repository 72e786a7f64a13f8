import Contracts

/// One text field and its keyboard, without any waiting: which keyboard has the field, and what follows from what happens.
package struct KeyboardSessionStateMachine: Sendable {
  package enum State: Sendable, Equatable {
    case idle
    /// The custom keyboard has the field.
    case custom
    /// The system's keyboard has it, for as long as the field is as it is.
    case replaced(Keyboard.End.Reason)
    /// The custom keyboard failed: the system's has the field to the end.
    case failed
    case ended
  }

  package enum Event: Sendable, Equatable {
    /// The field gets the keyboard, or its traits change; why the system's keyboard has to take over, if it has to.
    case traits(replacement: Keyboard.End.Reason?)
    case key
    /// The keyboard changes the text by itself, or asks for something.
    case call
    case advance
    case dismiss
    /// A call failed, came too late, or made no sense.
    case failed
    /// The text field is done with.
    case close
  }

  package enum Action: Sendable, Equatable {
    case begin
    case end(Keyboard.End.Reason)
    /// The custom keyboard is asked what a key does.
    case ask
    /// The key is inserted as it is.
    case insert
    case allow
  }

  package private(set) var state = State.idle

  package init() {}

  /// - Throws: `noSession` for a call of a keyboard that does not have the field.
  package mutating func event(_ event: Event) throws(KeyboardRefusal) -> [Action] {
    switch (state, event) {
    case (.idle, .traits(nil)), (.replaced, .traits(nil)): return move(to: .custom, .begin)
    case (.idle, .traits(let reason?)), (.replaced, .traits(let reason?)): return move(to: .replaced(reason))
    case (.custom, .traits(nil)), (.failed, .traits): return []
    case (.custom, .traits(let reason?)): return move(to: .replaced(reason), .end(reason))
    case (.custom, .key): return [.ask]
    case (.replaced, .key), (.failed, .key): return [.insert]
    case (.custom, .call): return [.allow]
    case (.custom, .advance): return move(to: .ended, .end(.switched))
    case (.custom, .dismiss), (.custom, .close): return move(to: .ended, .end(.dismissed))
    case (.custom, .failed): return move(to: .failed)
    case (_, .failed): return []
    case (_, .close): return move(to: .ended)
    default: throw .noSession
    }
  }

  private mutating func move(to state: State, _ actions: Action...) -> [Action] {
    self.state = state
    return actions
  }
}

/// Why a keyboard's call is refused.
package enum KeyboardRefusal: Error, Sendable, Equatable {
  /// The keyboard does not have a text field.
  case noSession
}
