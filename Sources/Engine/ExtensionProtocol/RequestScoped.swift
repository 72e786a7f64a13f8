/// Params that belong to a request of the user. Both sides refer to the request by its identifier: while it is open,
/// its items can be loaded and its progress reported.
public protocol RequestScoped {
  /// The identifier of the request.
  var requestID: String { get }
}
