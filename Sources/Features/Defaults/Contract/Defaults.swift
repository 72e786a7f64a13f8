public import ExtensionProtocol
public import PropertyList

/// `defaults/…`: key and value pairs that an app and its extensions share, by app group.
public enum Defaults: ServiceContract {
  public static let name = "defaults"
  public static let methods: [any RemoteMethod.Type] = [
    Get.self, All.self, Set.self, SetMany.self, Remove.self, RemoveAll.self, CompareAndSet.self, Observe.self,
    Follow.self,
  ]
  private static let rule = "The suite must be an app group of the extension and of its containing app."
  /// Reading has rows of its own, so that a point whose extensions must not write can still read.
  public static let access = [
    Allowlist.Row("defaults/get", nil, nil, rule), Allowlist.Row("defaults/all", nil, nil, rule),
    Allowlist.Row("defaults/observe", nil, nil, rule), Allowlist.Row("defaults/follow", nil, nil, rule),
    Allowlist.Row("defaults/*", nil, nil, rule),
  ]

  /// The revision of a suite after a write; it grows by one with each.
  public struct Revision: Codable, Sendable, Equatable {
    public var revision: Int64
    public init(revision: Int64) { self.revision = revision }
  }

  /// `defaults/get`
  public struct Get: RemoteMethod {
    public static let method = "defaults/get"

    public struct Result: Codable, Sendable, Equatable {
      /// Absent when the key is not set.
      public var value: PropertyListValue?
      /// The revision at which the key was written; 0 when it is not set.
      public var revision: Int64

      public init(value: PropertyListValue?, revision: Int64) {
        self.value = value
        self.revision = revision
      }
    }

    public var suite: String
    public var key: String

    public init(suite: String, key: String) {
      self.suite = suite
      self.key = key
    }
  }

  /// `defaults/all`
  public struct All: RemoteMethod {
    public static let method = "defaults/all"

    public struct Result: Codable, Sendable, Equatable {
      public var values: [String: PropertyListValue]
      public var revision: Int64

      public init(values: [String: PropertyListValue], revision: Int64) {
        self.values = values
        self.revision = revision
      }
    }

    public var suite: String
    public init(suite: String) { self.suite = suite }
  }

  /// `defaults/set`
  public struct Set: RemoteMethod {
    public typealias Result = Revision
    public static let method = "defaults/set"

    public var suite: String
    public var key: String
    public var value: PropertyListValue

    public init(suite: String, key: String, value: PropertyListValue) {
      self.suite = suite
      self.key = key
      self.value = value
    }
  }

  /// `defaults/setMany`: all of it or nothing. A key under `remove` must not stand under `values`.
  public struct SetMany: RemoteMethod {
    public typealias Result = Revision
    public static let method = "defaults/setMany"

    public var suite: String
    public var values: [String: PropertyListValue]
    public var remove: [String]?

    public init(suite: String, values: [String: PropertyListValue], remove: [String]? = nil) {
      self.suite = suite
      self.values = values
      self.remove = remove
    }
  }

  /// `defaults/remove`
  public struct Remove: RemoteMethod {
    public typealias Result = Revision
    public static let method = "defaults/remove"

    public var suite: String
    public var key: String

    public init(suite: String, key: String) {
      self.suite = suite
      self.key = key
    }
  }

  /// `defaults/removeAll`: removes every key of the suite, as one write.
  public struct RemoveAll: RemoteMethod {
    public typealias Result = Revision
    public static let method = "defaults/removeAll"

    public var suite: String
    public init(suite: String) { self.suite = suite }
  }

  /// `defaults/compareAndSet`: writes only when the key's own revision is the expected one (0: not set).
  public struct CompareAndSet: RemoteMethod {
    public static let method = "defaults/compareAndSet"

    public struct Result: Codable, Sendable, Equatable {
      public var swapped: Bool
      /// The key's revision after the call.
      public var revision: Int64

      public init(swapped: Bool, revision: Int64) {
        self.swapped = swapped
        self.revision = revision
      }
    }

    public var suite: String
    public var key: String
    /// Absent removes the key.
    public var value: PropertyListValue?
    public var expectedRevision: Int64

    public init(suite: String, key: String, value: PropertyListValue?, expectedRevision: Int64) {
      self.suite = suite
      self.key = key
      self.value = value
      self.expectedRevision = expectedRevision
    }
  }
}
