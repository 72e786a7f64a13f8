@_exported public import DataConnectWire
