import ExtensionProtocol
import JSONRPC

/// What users have decided, as the file of a state directory holds it: by extension, by permission.
struct PermissionRecord: StateContent {
  /// One decision.
  struct Decision: Codable, Sendable, Equatable {
    var state: PermissionState
    /// The parts that were agreed to. A manifest that asks for further parts has to ask again.
    var scope: [String]
    /// Seconds since 1970.
    @Timestamp<Double> var decidedAt: Double
  }

  private struct Header: Codable { var format: Int }

  /// The version of the format that this build writes and reads.
  static let currentFormat = 1

  var format = currentFormat
  /// Extension identifier to permission name to decision.
  private(set) var decisions: [String: [String: Decision]] = [:]

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

  /// The permissions that somebody has decided about, of an extension that may be gone.
  func decided(for id: String) -> [String] { decisions[id].map { $0.keys.sorted() } ?? [] }

  /// - Throws: ``LaterFormat``, and `DecodingError` when the bytes are no record.
  init(parsing bytes: [UInt8]) throws {
    let header = try JSONCoding.decode(Header.self, from: bytes)
    guard header.format == Self.currentFormat else {
      throw LaterFormat(found: header.format, known: Self.currentFormat)
    }
    self = try JSONCoding.decode(PermissionRecord.self, from: bytes)
  }

  init() {}

  /// For people to read, keys in order.
  var fileBytes: [UInt8] {
    get throws {
      Array((JSONCoding.prettyText(of: try JSONCoding.value(of: self), sortsKeys: true) + "\n").utf8)
    }
  }
}
