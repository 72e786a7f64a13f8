/// Somebody who listens to a query.
protocol SubscriberSink: AnyObject, Sendable {
  /// Sends a response, if there is room for it at once. Who is behind is dropped.
  ///
  /// - Parameter members: of the JSON object of the response, with commas between them.
  func deliver(_ members: String, to request: String)

  /// The subscription is over, with a reason.
  func end(_ failure: RequestFailure, of request: String)
}

/// One subscription.
struct Subscriber: Sendable {
  let sink: any SubscriberSink
  /// What the client calls it.
  let request: String
  /// The run whose result it has to get whole, or one after it; `nil` once it has it.
  var neededRun: UInt64?
  /// What it says that it has.
  var etag: String?
}
