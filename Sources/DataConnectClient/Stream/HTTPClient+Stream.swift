internal import HTTPClient

extension HTTPClient {
  /// Opens streams over this client.
  var streamOpening: StreamOpening {
    { (_, endpoint) throws(StreamRefusal) in
      throw StreamRefusal(
        DataConnectFailure(.failed, "\(endpoint.server) has no streams.", recovery: "Execute the query."), isFinal: true
      )
    }
  }
}
