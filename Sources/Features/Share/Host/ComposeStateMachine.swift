public import Contracts
import Text

/// A compose sheet from its opening to its end: its text, the extension's judgement of the text, and whether it may be
/// posted. It ensures that only a text that the extension has called valid is posted.
public struct ComposeStateMachine: Sendable {
  /// The events of a sheet.
  public enum Event: Sendable {
    /// The user wrote: the text is another.
    case textChanged(String)
    /// The extension's answer to `share/validateContent` for a text.
    case validated(String, Share.ContentState)
    /// `share/setContentState`.
    case stateSet(Share.ContentState)
    /// The user wants to post.
    case selectPost
    /// The user does not want to post.
    case selectCancel
    /// The request has ended in any way.
    case ended
  }

  /// The actions of the host.
  public enum Action: Sendable, Equatable {
    /// Ask the extension about a text.
    case validate(String)
    /// Post a text, which the extension called valid.
    case post(String)
    /// The text may not be posted; the sheet stays.
    case refuse(Share.ContentState)
    /// Cancel the request.
    case cancel
  }

  /// Writing, then one way or the other, then over. ``Event/selectPost`` leads to `posting` once the text is valid,
  /// ``Event/selectCancel`` to `cancelling`, ``Event/ended`` to `ended`.
  public enum Phase: Sendable, Equatable { case composing, posting, cancelling, ended }

  /// The current phase of the sheet.
  public private(set) var phase = Phase.composing
  /// The text in the sheet.
  public private(set) var contentText: String
  /// The extension's judgement of the current text; `nil` until it arrives.
  public private(set) var contentState: Share.ContentState?
  private var wantsPost = false

  /// Begins with a text of the host's, which is not valid before the extension says so.
  public init(contentText: String = "") { self.contentText = contentText }

  /// Takes an event, and says what follows from it. Nothing follows once the sheet is posted, cancelled or over.
  public mutating func event(_ event: Event) -> [Action] {
    if case .ended = event {
      phase = .ended
      return []
    }
    guard phase == .composing else { return [] }
    switch event {
    case .textChanged(let text):
      contentText = text
      (contentState, wantsPost) = (nil, false)
      return [.validate(text)]
    case .validated(let text, let state):
      guard text.hasBytes(of: contentText) else { return [] }
      contentState = state
      return wantsPost ? post(state) : []
    case .stateSet(let state):
      contentState = state
      return wantsPost ? post(state) : []
    case .selectPost:
      if let contentState { return post(contentState) }
      wantsPost = true
      return [.validate(contentText)]
    case .selectCancel:
      phase = .cancelling
      return [.cancel]
    case .ended: return []
    }
  }

  private mutating func post(_ state: Share.ContentState) -> [Action] {
    wantsPost = false
    guard state.isValid else { return [.refuse(state)] }
    phase = .posting
    return [.post(contentText)]
  }
}
