public import ExtensionProtocol
public import PropertyList

extension Defaults {
  /// A key after a write.
  public struct Change: Codable, Sendable, Equatable {
    /// The key that was written or removed.
    public var key: String
    /// Absent when the key was removed.
    public var value: PropertyListValue?
    /// The suite's revision at which the key was written or removed.
    @NonNegative<Int64> public var revision: Int64

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - value: `nil` when the key was removed.
    ///   - revision: the suite's after the write.
    public init(key: String, value: PropertyListValue?, revision: Int64) {
      self.key = key
      self.value = value
      self.revision = revision
    }
  }

  /// `defaults/observe`: from now on ``DidChange`` names the changed keys with the prefix, whichever process wrote
  /// them.
  public struct Observe: RemoteMethod {
    /// The current revision of the suite; the notifications continue from it.
    public typealias Result = Revision
    /// The wire name; extensions call it.
    public static let method = "defaults/observe"

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// Empty for every key.
    public var prefix: String

    /// Creates the params; an empty prefix stands for every key.
    public init(suite: String, prefix: String = "") {
      self.suite = suite
      self.prefix = prefix
    }
  }

  /// `defaults/follow`: gives the suite, or what changed in it since a revision; and from now on ``DidChange`` carries
  /// every change with its value, so that a copy of the suite stays current. To ask again is to ask for the newest.
  public struct Follow: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "defaults/follow"

    /// The suite, or what changed in it.
    public struct Result: Codable, Sendable, Equatable {
      /// The suite's revision that the changes lead to.
      @NonNegative<Int64> public var revision: Int64
      /// Whether the changes are the whole suite; otherwise they follow the revision that was asked for.
      public var whole: Bool
      /// Each key once, in its newest state.
      public var changes: [Change]

      /// Creates an answer.
      ///
      /// - Parameter whole: whether `changes` are everything that the suite holds.
      public init(revision: Int64, whole: Bool, changes: [Change]) {
        self.revision = revision
        self.whole = whole
        self.changes = changes
      }
    }

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// Only what changed after this revision; absent for everything.
    @NonNegative<Int64?> public var after: Int64?

    /// Creates the params; `after` is a revision that the caller has, `nil` when it has none.
    public init(suite: String, after: Int64? = nil) {
      self.suite = suite
      self.after = after
    }
  }

  /// `defaults/didChange`, host to extension. No revision is missed and none comes twice: each notification of a suite
  /// begins where the one before ended. A key that was written several times in between stands once.
  public struct DidChange: RemoteNotification, Equatable {
    /// The wire name; the host sends it.
    public static let method = "defaults/didChange"

    /// The suite that changed.
    public var suite: String
    /// The suite's revision that the notification leads to.
    @NonNegative<Int64> public var revision: Int64
    /// The keys that changed, of the prefixes that are observed.
    public var keys: [String]
    /// The revision at which the notification begins; only in notifications to a follower of the suite.
    @NonNegative<Int64?> public var after: Int64?
    /// All changes after `after`; only in notifications to a follower of the suite. Absent when the host no longer
    /// knows the individual changes, so that the suite must be read again.
    public var changes: [Change]?

    /// Creates the params; `after` and `changes` are only for followers of the suite.
    public init(suite: String, revision: Int64, keys: [String], after: Int64? = nil, changes: [Change]? = nil) {
      self.suite = suite
      self.revision = revision
      self.keys = keys
      self.after = after
      self.changes = changes
    }
  }
}
