internal import CMicroHTTPD
internal import EventLoop
internal import Glibc
internal import Synchronization

/// A port with two protocols.
extension Daemon {
  /// Takes the connections of a port, and looks at what they begin with.
  ///
  /// - Returns: false when the system gives no thread.
  func beginSorting(_ listener: Int32, _ other: PriorKnowledge) -> Bool {
    guard let loop = socketLoop() else { return false }
    let admission = ServerAdmission(door: configuration.door, names: hostNames, bodies: bodies)
    let holder = ConnectionSorterHolder(
      ConnectionSorter(
        listener, firstBytes: other.firstBytes, most: max(1, configuration.mostConnections),
        limit: .seconds(configuration.idleSeconds), on: loop.loop
      ) { descriptor, isOther in
        // The daemon stays until `endSorting`, however long the loop takes to hear of it.
        isOther ? self.begin(descriptor, other, admission, on: loop) : self.adopt(descriptor)
      })
    sorter.withLock { $0 = holder }
    loop.loop.execute { holder.sorter.begin() }
    return true
  }

  /// Takes no more connections. What is being handed over is with the library before this returns.
  func endSorting() {
    guard let holder = sorter.withLock({ $0.take() }), let loop = socketLoop() else { return }
    loop.loop.execute { holder.sorter.close() }
  }

  /// Gives a connection to libmicrohttpd.
  private func adopt(_ descriptor: Int32) {
    sorter.withLock { sorter in
      guard sorter != nil, let handle = unsafe handle else {
        _ = Glibc.close(descriptor)
        return
      }
      unsafe cmhd_add(handle, descriptor)
    }
  }

  /// Gives a connection to the other protocol.
  private func begin(
    _ descriptor: Int32, _ other: PriorKnowledge, _ admission: ServerAdmission, on loop: LoopThread
  ) {
    let response = UpgradeResponse { other.begin($0, admission) }
    response.place(
      UpgradeResponse.Place(loop: loop, closeLimit: configuration.grace, isSecure: false, table: lasting))
    guard lasting.add(response) else {
      _ = Glibc.close(descriptor)
      return
    }
    guard exchanges.append(.lasting(response)) else {
      lasting.remove(response)
      _ = Glibc.close(descriptor)
      return
    }
    response.begin(ReleasedConnection(descriptor))
  }
}
