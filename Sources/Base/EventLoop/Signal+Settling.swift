extension Signal {
  /// Waits until nothing was sent for a moment: several files that are saved together are one change, and a file that is
  /// being written is empty first.
  ///
  /// - Parameter most: so many pauses at most, so that somebody who sends without end is not waited for.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func settle(on loop: EventLoop, pause: Duration = .milliseconds(60), atMost most: Int = 16) async throws {
    for _ in 0..<most {
      let before = count
      try await loop.sleep(for: pause)
      if count == before { return }
    }
  }
}
