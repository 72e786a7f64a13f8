public import ExtensionProtocol
public import PropertyList

/// `defaults/…`: key and value pairs that an app and its extensions share, by app group.
public enum Defaults: ServiceContract {
  /// The prefix of the methods.
  public static let name = "defaults"
  /// The methods that extensions may call. Every point may read; a keyboard may write only with open access. A suite
  /// that is not an app group of the caller is refused with `groupNotEntitled`.
  public static let methods: [any RemoteMethod.Type] = [
    Get.self, All.self, Set.self, SetMany.self, Remove.self, RemoveAll.self, CompareAndSet.self, Observe.self,
    Follow.self,
  ]
  private static let rule = "The suite must be an app group of the extension and of its containing app."
  /// The notification that an observing extension receives.
  public static let calls: [HostCall] = [.notification(DidChange.self)]
  /// Reading has its own rows, so that an extension without write access can still read.
  public static let access = [
    Allowlist.Row("defaults/get", nil, nil, rule), Allowlist.Row("defaults/all", nil, nil, rule),
    Allowlist.Row("defaults/observe", nil, nil, rule), Allowlist.Row("defaults/follow", nil, nil, rule),
    Allowlist.Row("defaults/*", nil, nil, rule),
  ]

  /// The revision of a suite after a write; it grows by one with each.
  public struct Revision: Codable, Sendable, Equatable {
    /// The revision; 0 for a suite that was never written.
    @NonNegative<Int64> public var revision: Int64
    /// Answers with the revision after a write.
    public init(revision: Int64) { self.revision = revision }
  }

  /// `defaults/get`
  public struct Get: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "defaults/get"

    /// The present value of one key.
    public struct Result: Codable, Sendable, Equatable {
      /// Absent when the key is not set.
      public var value: PropertyListValue?
      /// The revision at which the key was written; 0 when it is not set.
      @NonNegative<Int64> public var revision: Int64

      /// Creates an answer: `nil` and 0 for a key that is not set.
      public init(value: PropertyListValue?, revision: Int64) {
        self.value = value
        self.revision = revision
      }
    }

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// 1 to 1024 bytes of UTF-8.
    public var key: String

    /// Asks for one key of a suite.
    public init(suite: String, key: String) {
      self.suite = suite
      self.key = key
    }
  }

  /// `defaults/all`
  public struct All: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "defaults/all"

    /// A whole suite as of one moment.
    public struct Result: Codable, Sendable, Equatable {
      /// Every key that is set, with its value.
      public var values: [String: PropertyListValue]
      /// The suite's revision at that moment.
      @NonNegative<Int64> public var revision: Int64

      /// Creates an answer; an empty suite has no values and the revision 0.
      public init(values: [String: PropertyListValue], revision: Int64) {
        self.values = values
        self.revision = revision
      }
    }

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// Asks for every key of a suite.
    public init(suite: String) { self.suite = suite }
  }

  /// `defaults/set`
  public struct Set: RemoteMethod {
    /// The revision after the write. When it comes, the value is durable and others see it.
    public typealias Result = Revision
    /// The wire name; extensions call it. A value over 256 KiB, or a suite over 1 MiB, is refused with `limitExceeded`.
    public static let method = "defaults/set"

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// 1 to 1024 bytes of UTF-8.
    public var key: String
    /// Any value of a property list.
    public var value: PropertyListValue

    /// Sets one key of a suite, whatever it was before.
    public init(suite: String, key: String, value: PropertyListValue) {
      self.suite = suite
      self.key = key
      self.value = value
    }
  }

  /// `defaults/setMany`: all of it or nothing. A key under `remove` must not stand under `values`.
  public struct SetMany: RemoteMethod {
    /// The revision after the write, which is one write for all keys.
    public typealias Result = Revision
    /// The wire name; extensions call it. The limits are those of ``Set``.
    public static let method = "defaults/setMany"

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// The keys to set.
    public var values: [String: PropertyListValue]
    /// The keys to remove; one that is not set is no error.
    public var remove: [String]?

    /// Creates the params; nothing is removed without `remove`.
    public init(suite: String, values: [String: PropertyListValue], remove: [String]? = nil) {
      self.suite = suite
      self.values = values
      self.remove = remove
    }
  }

  /// `defaults/remove`
  public struct Remove: RemoteMethod {
    /// The revision after the write; removing a key that is not set counts as a write.
    public typealias Result = Revision
    /// The wire name; extensions call it.
    public static let method = "defaults/remove"

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// A key that is not set is no error.
    public var key: String

    /// Removes one key of a suite.
    public init(suite: String, key: String) {
      self.suite = suite
      self.key = key
    }
  }

  /// `defaults/removeAll`: removes every key of the suite, as one write.
  public struct RemoveAll: RemoteMethod {
    /// The revision after the write.
    public typealias Result = Revision
    /// The wire name; extensions call it. This project's own: `UserDefaults` removes a domain.
    public static let method = "defaults/removeAll"

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// Removes every key of a suite.
    public init(suite: String) { self.suite = suite }
  }

  /// `defaults/compareAndSet`: writes only when the key's own revision is the expected one (0: not set).
  public struct CompareAndSet: RemoteMethod {
    /// The wire name; extensions call it. The limits are those of ``Set``.
    public static let method = "defaults/compareAndSet"

    /// Whether the value was written; a value that was not is no error.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the key was written or removed.
      public var swapped: Bool
      /// The key's revision after the call.
      @NonNegative<Int64> public var revision: Int64

      /// Answers with the key's revision: the new one, or the one that was found instead of the expected one.
      public init(swapped: Bool, revision: Int64) {
        self.swapped = swapped
        self.revision = revision
      }
    }

    /// An app group of the extension and of its containing app.
    public var suite: String
    /// 1 to 1024 bytes of UTF-8.
    public var key: String
    /// Absent removes the key.
    public var value: PropertyListValue?
    /// The key's revision from ``Get``; 0 writes only if the key is not set.
    @NonNegative<Int64> public var expectedRevision: Int64

    /// Creates the params; without a value the key is removed.
    public init(suite: String, key: String, value: PropertyListValue?, expectedRevision: Int64) {
      self.suite = suite
      self.key = key
      self.value = value
      self.expectedRevision = expectedRevision
    }
  }
}
