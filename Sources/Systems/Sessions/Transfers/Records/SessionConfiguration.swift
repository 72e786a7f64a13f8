package import HTTPClient

/// How a session transfers.
package struct SessionConfiguration: Sendable, Equatable {
  /// Whether the app is started when something has happened and nobody is there to be told.
  package var sendsLaunchEvents = true
  /// Whether the transfers wait for a quiet moment.
  package var isDiscretionary = false
  /// The longest time without a byte.
  package var timeoutForRequest = Duration.seconds(60)
  /// The time for all of a task, its pauses and the time without power included.
  package var timeoutForResource = Duration.seconds(7 * 86_400)
  /// The most connections to one server at a time.
  package var maximumConnectionsPerHost = 4
  /// Sent with each request that has no such field of its own.
  package var additionalHeaders = HTTPFields()

  package init() {}
}

extension SessionConfiguration: Codable {
  private enum CodingKeys: String, CodingKey {
    case sendsLaunchEvents, isDiscretionary, timeoutForRequest, timeoutForResource, maximumConnectionsPerHost
    case additionalHeaders
  }

  /// The longest time that is read, in seconds: ten years.
  private static let longest = 315_360_000.0

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sendsLaunchEvents = try values.decode(Bool.self, forKey: .sendsLaunchEvents)
    isDiscretionary = try values.decode(Bool.self, forKey: .isDiscretionary)
    timeoutForRequest = try Self.time(values.decode(Double.self, forKey: .timeoutForRequest))
    timeoutForResource = try Self.time(values.decode(Double.self, forKey: .timeoutForResource))
    maximumConnectionsPerHost = try values.decode(Int.self, forKey: .maximumConnectionsPerHost)
    additionalHeaders = try values.decode(HTTPFields.self, forKey: .additionalHeaders)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(sendsLaunchEvents, forKey: .sendsLaunchEvents)
    try values.encode(isDiscretionary, forKey: .isDiscretionary)
    try values.encode(timeoutForRequest / .seconds(1), forKey: .timeoutForRequest)
    try values.encode(timeoutForResource / .seconds(1), forKey: .timeoutForResource)
    try values.encode(maximumConnectionsPerHost, forKey: .maximumConnectionsPerHost)
    try values.encode(additionalHeaders, forKey: .additionalHeaders)
  }

  private static func time(_ seconds: Double) -> Duration {
    .seconds(seconds >= 0 && seconds <= longest ? seconds : longest)
  }
}
