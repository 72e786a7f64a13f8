package import HTTPClient

/// How a session transfers.
package struct SessionConfiguration: Sendable, Equatable {
  /// Whether the host starts the app when an event occurs and the app is not running.
  package var sendsLaunchEvents = true
  /// Whether transfers wait until the machine has little other work.
  package var isDiscretionary = false
  /// The longest time without a received byte.
  package var timeoutForRequest = Duration.seconds(60)
  /// The time limit of a task, including pauses and time without power.
  package var timeoutForResource = Duration.seconds(7 * 86_400)
  /// The most simultaneous connections to one server.
  package var maximumConnectionsPerHost = 4
  /// Header fields for every request that does not set them itself.
  package var additionalHeaders = HTTPFields()

  /// Creates the default configuration.
  package init() {}
}

extension SessionConfiguration: Codable {
  private enum CodingKeys: String, CodingKey {
    case sendsLaunchEvents, isDiscretionary, timeoutForRequest, timeoutForResource, maximumConnectionsPerHost
    case additionalHeaders
  }

  /// The longest time that is decoded, in seconds: ten years.
  private static let longest = 315_360_000.0

  /// Decodes times in seconds; a time outside of 0 to ten years becomes ten years.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sendsLaunchEvents = try values.decode(Bool.self, forKey: .sendsLaunchEvents)
    isDiscretionary = try values.decode(Bool.self, forKey: .isDiscretionary)
    timeoutForRequest = try Self.time(values.decode(Double.self, forKey: .timeoutForRequest))
    timeoutForResource = try Self.time(values.decode(Double.self, forKey: .timeoutForResource))
    maximumConnectionsPerHost = try values.decode(Int.self, forKey: .maximumConnectionsPerHost)
    additionalHeaders = try values.decode(HTTPFields.self, forKey: .additionalHeaders)
  }

  /// Encodes times in seconds.
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
