/// One session of a Photo Editing extension: which call may come when, and which action follows. Pure.
package struct PhotoEditingStateMachine: Sendable {
  /// The stages of a session.
  package enum State: Sendable, Equatable {
    case idle
    /// The extension is asked whether it can take the earlier edit up.
    case asking
    case starting
    case editing
    case finishing
    /// The output is here and is being looked at and saved.
    case saving
    case cancelling
    case ended
  }

  /// What happens to a session.
  package enum Event: Sendable, Equatable, CaseIterable {
    /// The host wants to edit a photo that has, or has not, been edited before.
    case begin, beginAgain
    case canHandle, cannotHandle
    case started
    case finish
    /// The extension answered the finish with an output, or with none.
    case output, noOutput
    /// The output is saved, or is not and stays unsaved.
    case consumed
    case cancel
    case cancelled
    /// A call failed, or the extension has exited.
    case failed
  }

  /// What the host does after an event.
  package enum Action: Sendable, Equatable {
    case askCanHandle
    /// Start with the original and the adjustment data, or with the photo as it looks now.
    case start(fromOriginal: Bool)
    case finish
    case save
    /// Discard the output without checking it.
    case discard
    case tellConsumed
    case cancel
    case end
  }

  /// The current stage.
  package private(set) var state = State.idle
  /// Whether a cancel came while a finish ran: what the finish brings is not saved.
  package private(set) var wasCancelled = false

  /// Creates a session that has not begun.
  package init() {}

  /// - Throws: `noSession` or `sessionBusy` for an event that the state has no place for; the state stays.
  package mutating func event(_ event: Event) throws(PhotoEditingRefusal) -> [Action] {
    switch (state, event) {
    case (.idle, .begin): return move(to: .starting, .start(fromOriginal: false))
    case (.idle, .beginAgain): return move(to: .asking, .askCanHandle)
    case (.asking, .canHandle): return move(to: .starting, .start(fromOriginal: true))
    case (.asking, .cannotHandle): return move(to: .starting, .start(fromOriginal: false))
    case (.starting, .started): return move(to: .editing)
    case (.editing, .finish): return move(to: .finishing, .finish)
    case (.finishing, .output): return move(to: .saving, .save)
    case (.finishing, .noOutput): return move(to: .ended, .end)
    case (.saving, .consumed): return move(to: .ended, .tellConsumed, .end)
    case (.starting, .cancel), (.editing, .cancel), (.finishing, .cancel):
      wasCancelled = true
      return move(to: .cancelling, .cancel)
    // The finish that runs beside the cancel may still answer; the photo stays as it was.
    case (.cancelling, .output), (.cancelling, .noOutput), (.cancelling, .started): return [.discard]
    case (.cancelling, .cancelled): return move(to: .ended, .end)
    case (.ended, .output), (.ended, .noOutput), (.ended, .started): return wasCancelled ? [.discard] : []
    case (.ended, .failed), (.ended, .cancelled): return []
    case (.idle, .failed): return []
    case (_, .failed): return move(to: .ended, .end)
    case (.asking, .cancel): return move(to: .ended, .end)
    case (.idle, _), (.ended, _): throw .noSession
    default: throw .sessionBusy
    }
  }

  private mutating func move(to state: State, _ actions: Action...) -> [Action] {
    self.state = state
    return actions
  }
}

/// The reason an edit is refused or its output is not saved. The raw value is `details.reason` of `editingFailed`.
public enum PhotoEditingRefusal: String, Error, Sendable, CaseIterable {
  /// The file is no image or video that the extension edits.
  case mediaTypeUnsupported
  /// There is no session for this.
  case noSession
  /// There is a session already.
  case sessionBusy
  /// There is no edited photo, or an empty one.
  case outputMissing
  /// The edited photo cannot be read, or lies outside the output directory.
  case outputNotReadable
  /// The photo is not of the declared type, or of a type that the extension does not accept.
  case wrongFormat
  /// The edited photo is not upright (EXIF orientation 1).
  case orientationNotNormalised
  /// The output has no adjustment data.
  case adjustmentDataMissing
  /// The adjustment data are those of the edit before.
  case adjustmentDataReused
  /// The adjustment data are empty, no base64, or without a format and a version.
  case adjustmentDataEmpty
  /// The adjustment data are larger than ``AdjustmentData/limit``.
  case adjustmentDataTooLarge
  /// The user cancelled while the edit was finished.
  case cancelledDuringFinish
}
