import ExtensionProtocol

/// What users have decided, as the file of a state directory holds it: by extension, by permission.
struct PermissionRecord: FormattedContent {
  /// The decision of a user about one permission.
  struct Decision: Codable, Sendable, Equatable {
    var state: PermissionState
    /// The parts that were agreed to. A manifest that asks for further parts has to ask again.
    var scope: [String]
    /// The time of the decision, in seconds since 1970.
    @Timestamp<Double> var decidedAt: Double
  }

  static let currentFormat = 1

  var format = currentFormat
  /// Extension identifier to permission name to decision.
  private(set) var decisions: [String: [String: Decision]] = [:]
  /// The apps that other teams have taken the names of.
  private(set) var handovers: TeamHandovers?

  /// What holds for a permission that a manifest asks for.
  ///
  /// A grant holds for the parts that it was given for: a manifest that asks for more is undecided again. A refusal
  /// holds whatever is asked for.
  func state(of asked: AskedPermission, for id: String) -> PermissionState {
    guard let decision = decisions[id]?[asked.name] else { return .undecided }
    guard decision.state == .granted else { return decision.state }
    return Set(asked.scope).isSubset(of: decision.scope) ? .granted : .undecided
  }

  /// Keeps a decision; `undecided` forgets the one that there was.
  mutating func decide(_ asked: AskedPermission, _ state: PermissionState, for id: String, at time: Double) {
    if state == .undecided {
      decisions[id]?[asked.name] = nil
      if decisions[id]?.isEmpty == true { decisions[id] = nil }
    } else {
      decisions[id, default: [:]][asked.name] = Decision(state: state, scope: asked.scope.sorted(), decidedAt: time)
    }
  }

  /// Returns the permissions that the user has decided about for an extension, which may be gone.
  func decided(for id: String) -> [String] { decisions[id].map { $0.keys.sorted() } ?? [] }

  /// Puts the decisions about some extensions aside under their team, and takes up those that another team had.
  /// Doing it again changes nothing.
  mutating func handOver(_ ids: [String], of app: String, from old: String, to new: String) {
    guard handovers.begin(app, from: old, to: new) else { return }
    for id in ids {
      if let found = decisions.removeValue(forKey: id) { decisions["\(id)@\(old)"] = found }
      decisions[id] = decisions.removeValue(forKey: "\(id)@\(new)")
    }
  }

  init() {}
}
