import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let defaults: [Golden] = [
    Golden(
      Defaults.Get(suite: "group.a", key: "when"), Defaults.Get.Result(value: .date(1_700_000_000), revision: 7)),
    Golden(
      Defaults.All(suite: "group.a"),
      Defaults.All.Result(
        values: [
          "array": [1, 1.5, true, "text"], "bytes": .data([0, 255]), "dictionary": ["key": "value"], "real": 1.0,
        ], revision: 7)),
    Golden(Defaults.Set(suite: "group.a", key: "visits", value: 42), Defaults.Revision(revision: 8)),
    Golden(
      Defaults.SetMany(suite: "group.a", values: ["a": 1, "b": "two"], remove: ["c"]), Defaults.Revision(revision: 9)),
    Golden(Defaults.Remove(suite: "group.a", key: "a"), Defaults.Revision(revision: 10)),
    Golden(Defaults.RemoveAll(suite: "group.a"), Defaults.Revision(revision: 11)),
    Golden(
      Defaults.CompareAndSet(suite: "group.a", key: "b", value: nil, expectedRevision: 9),
      Defaults.CompareAndSet.Result(swapped: true, revision: 0)),
    Golden(Defaults.Observe(suite: "group.a", prefix: "shared."), Defaults.Revision(revision: 11)),
    Golden(
      Defaults.Follow(suite: "group.a", after: 9),
      Defaults.Follow.Result(
        revision: 11, whole: false,
        changes: [.init(key: "a", value: 1.5, revision: 10), .init(key: "b", value: nil, revision: 11)])),
    Golden(
      Defaults.DidChange(
        suite: "group.a", revision: 12, keys: ["shared.1"], after: 11,
        changes: [.init(key: "shared.1", value: true, revision: 12)])),
  ]
}
