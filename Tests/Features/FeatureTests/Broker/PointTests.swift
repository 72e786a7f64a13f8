import Conformance
import FeatureChecks
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The extension points of the features` {
  @Test func `are listed in the order of the documentation`() {
    #expect(
      Features.points.definitions.map(\.shortName) == [
        "today", "share", "action", "action-ui", "photo", "picker", "provider", "keyboard",
      ])
    #expect(Features.points.pointsTakingItems == [.share, .action, .actionUI])
  }

  /// The ceilings are those of Apple's points, as far as they are known: a small share for what runs beside others, a
  /// large one for what the user works in. An idle program needs 1 MiB of it in Swift, 4 in Python, 7 in Node.
  @Test(arguments: [
    (ExtensionPoint.today, 32 as UInt64), (.share, 128), (.action, 128), (.actionUI, 128), (.photoEditing, 256),
    (.documentPicker, 128), (.fileProvider, 32), (.keyboard, 64), (.containingApp, 256),
  ])
  func `have each its memory`(point: ExtensionPoint, memoryMiB: UInt64) {
    #expect(Features.points.definition(of: point).limits.memory == memoryMiB << 20)
  }

  @Test func `let their extensions write to app groups, a keyboard only with open access`() {
    for definition in Features.points.definitions {
      #expect(definition.groups == (definition.point == .keyboard ? .readOnlyWithoutOpenAccess : .readWrite))
    }
  }

  @Test func `keep the processes of some`() {
    let rules = Dictionary(grouping: Features.points.definitions, by: \.reuse).mapValues { $0.map(\.point) }
    #expect(rules[.reuse] == [.today, .fileProvider, .keyboard] && rules[.once] == [.action])
    #expect(rules[.never] == [.share, .actionUI, .photoEditing, .documentPicker])
  }

  @Test func `need an app group only where documents are`() {
    let needy = Features.points.definitions.map(\.point).filter { Features.checks.needsAppGroup(at: $0) }
    #expect(Set(needy) == [.documentPicker, .fileProvider])
  }

  @Test func `have names that do not collide`() {
    let names = Features.points.definitions.flatMap { [$0.shortName, $0.point.rawValue] } + ["app", "containing-app"]
    #expect(Set(names).count == names.count)
    for definition in Features.points.definitions {
      #expect(ExtensionPoint(name: definition.shortName) == definition.point)
      #expect(!definition.role.isEmpty && definition.plural.hasPrefix("the "))
    }
  }

  @Test func `name deadlines for what takes longer, or has to be quick`() {
    #expect(Today.PerformUpdate.deadline == RequestDeadline(hard: .seconds(10)))
    #expect(Share.DidSelectPost.deadline == .request && Action.Perform.deadline == .request)
    #expect(Keyboard.Input.deadline == RequestDeadline(soft: .milliseconds(100), hard: .seconds(2)))
    #expect(PhotoEditing.FinishContentEditing.deadline == RequestDeadline(hard: .seconds(120)))
    #expect(FileProvider.StartProviding.deadline == RequestDeadline(hard: .seconds(30), limit: .seconds(3600)))
    #expect(FileProvider.ProvidePlaceholder.deadline == RequestDeadline(hard: .seconds(30), limit: .seconds(300)))
    #expect(Keyboard.Begin.deadline == .standard && Keyboard.Edit.serviceDeadline == nil)
    #expect(FileProvider.Coordinate.serviceDeadline == .seconds(3600))
  }

  @Test func `fit each other and the services`() throws {
    try Features.points.check(Features.contracts)
    for definition in Features.points.all { #expect(!definition.calls.isEmpty, "\(definition.point.rawValue)") }
    #expect(Features.points.definition(of: .containingApp).calls.map(\.method) == [OpenURL.Deliver.method])
  }
}
