import HostServices
import Testing

/// What a compose sheet does with answers that come late, twice, or by themselves.
@Suite(.timeLimit(.minutes(1)))
struct `A compose sheet that waits for an answer` {
  private static let valid = Share.ContentState(isValid: true, charactersRemaining: 5)
  private static let invalid = Share.ContentState(isValid: false, charactersRemaining: -1)

  struct Course: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [(event: ComposeStateMachine.Event, actions: [ComposeStateMachine.Action])]
    var phase: ComposeStateMachine.Phase
    var state: Share.ContentState?
  }

  private static let courses = [
    Course(
      testDescription: "posts when the extension says by itself that the text is valid",
      steps: [(.selectPost, [.validate("Hi")]), (.stateSet(valid), [.post("Hi")]), (.validated("Hi", invalid), [])],
      phase: .posting, state: valid),
    Course(
      testDescription: "refuses once, and posts nothing that the user did not ask for again",
      steps: [
        (.selectPost, [.validate("Hi")]), (.validated("Hi", invalid), [.refuse(invalid)]), (.stateSet(valid), []),
        (.validated("Hi", valid), []),
      ], phase: .composing, state: valid),
    Course(
      testDescription: "refuses what the extension itself calls invalid, once",
      steps: [
        (.selectPost, [.validate("Hi")]), (.stateSet(invalid), [.refuse(invalid)]), (.validated("Hi", valid), []),
        (.selectPost, [.post("Hi")]),
      ], phase: .posting, state: valid),
    Course(
      testDescription: "knows nothing of a new text",
      steps: [(.stateSet(valid), []), (.textChanged("a"), [.validate("a")]), (.selectPost, [.validate("a")])],
      phase: .composing, state: nil),
    Course(
      testDescription: "asks again for the text that it has",
      steps: [(.stateSet(valid), []), (.textChanged("Hi"), [.validate("Hi")])], phase: .composing, state: nil),
    Course(
      testDescription: "asks twice when the user cannot wait, and posts once",
      steps: [
        (.selectPost, [.validate("Hi")]), (.selectPost, [.validate("Hi")]), (.validated("Hi", valid), [.post("Hi")]),
        (.validated("Hi", valid), []),
      ], phase: .posting, state: valid),
    Course(
      testDescription: "hears nothing after it was cancelled",
      steps: [
        (.selectPost, [.validate("Hi")]), (.selectCancel, [.cancel]), (.validated("Hi", valid), []),
        (.textChanged("a"), []),
      ], phase: .cancelling, state: nil),
    Course(
      testDescription: "is over after posting, too",
      steps: [(.stateSet(valid), []), (.selectPost, [.post("Hi")]), (.ended, []), (.ended, [])], phase: .ended,
      state: valid),
    Course(
      testDescription: "is over after cancelling, too", steps: [(.selectCancel, [.cancel]), (.ended, [])],
      phase: .ended, state: nil),
    Course(
      testDescription: "hears nothing after its end",
      steps: [(.ended, []), (.stateSet(valid), []), (.validated("Hi", valid), []), (.selectPost, [])], phase: .ended,
      state: nil),
  ]

  @Test(arguments: courses) func `follows its course`(course: Course) {
    var machine = ComposeStateMachine(contentText: "Hi")
    for (index, step) in course.steps.enumerated() {
      #expect(machine.event(step.event) == step.actions, "step \(index + 1)")
    }
    #expect(machine.phase == course.phase)
    #expect(machine.contentState == course.state)
  }

  @Test func `has the text of the host before the user writes`() {
    var machine = ComposeStateMachine(contentText: "Hi")
    #expect(machine.contentText == "Hi" && machine.contentState == nil && machine.phase == .composing)
    _ = machine.event(.textChanged("Ho"))
    #expect(machine.contentText == "Ho")
    #expect(ComposeStateMachine().contentText == "")
  }
}
