/// The names of apps that another team has taken over, each with the team whose entries were put aside: what was done is not
/// done again after a crash, when the entries under the name are the other team's already.
struct TeamHandovers: Codable, Sendable, Equatable {
  private var done: Set<String> = []

  fileprivate mutating func begin(_ app: String, from old: String, to new: String) -> Bool {
    guard done.insert("\(app)@\(old)").inserted else { return false }
    // Whoever has the name has nothing aside.
    done.remove("\(app)@\(new)")
    return true
  }
}

extension TeamHandovers? {
  /// Notes a hand-over.
  ///
  /// - Returns: false when it was done before.
  mutating func begin(_ app: String, from old: String, to new: String) -> Bool {
    var handovers = self ?? TeamHandovers()
    defer { self = handovers }
    return handovers.begin(app, from: old, to: new)
  }
}
