// Where a result may come from and how it is kept are words of the SDK and of the client alike.
@_exported public import DataConnectWire
