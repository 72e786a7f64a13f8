import JSON
import EventLoop
import ExtensionProtocol

extension ExtensionHost {
  /// Ends the host in order: from now on nothing is started, neither for new requests nor within open ones; requests that
  /// wait for a process are refused with `shuttingDown`; open ones finish, or have their extensions ended when the time is
  /// over. When this returns, ``run()`` ends, and no process of an extension is left.
  ///
  /// - Parameter limit: how long open requests have.
  /// - Returns: how many of them had not finished by then.
  @discardableResult
  public func shutdown(within limit: Duration = .seconds(10)) async -> Int {
    guard requests.close() else {
      await surroundings.isShut()
      return 0
    }
    await places.close()
    await pool.endFree()
    await allEnd(within: limit)
    let open = requests.count
    if open > 0 {
      configuration.log.log(
        .warning, "open requests are ended with the host", metadata: ["requests": .integer(Int64(open))])
    }
    for supervisor in knownSupervisors { await supervisor.stopAll(.quit) }
    // From its end by request to the end by force, and what is left to remember.
    let patience = configuration.deadlines.termination + .seconds(8)
    await allEnd(within: patience)
    await surroundings.allProcessesEnd(within: patience)
    launcher.reserve.close()
    await surroundings.shut()
    return open
  }

  /// Whether ``shutdown(within:)`` has begun.
  package var isShuttingDown: Bool { requests.isClosed }

  /// Waits until no request is open, for some time at most.
  private func allEnd(within limit: Duration) async {
    let loop = loop
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    requests.whenAllHaveEnded { continuation.finish() }
    _ = try? await withDeadline(limit, on: loop) { for await _ in ends {} }
  }
}
