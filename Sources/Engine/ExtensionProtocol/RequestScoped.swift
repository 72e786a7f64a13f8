/// Params that belong to a request of the user's, by whose identifier the two sides speak of it: the items of a request can
/// be loaded, and its progress be told, while it is open.
public protocol RequestScoped {
  /// The request.
  var requestID: String { get }
}
