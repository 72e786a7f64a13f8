import Synchronization

/// What a service hands over to the tasks that accompany its callers: one queue for each calling process.
package final class CallerArrivals<Element: Sendable>: Sendable {
  private typealias Queue = (stream: AsyncStream<Element>, source: AsyncStream<Element>.Continuation)

  private let queues = Mutex<[UInt64: Queue]>([:])

  /// Creates queues for no callers yet.
  package init() {}

  /// Where elements for one process go in. The queue exists from the first use until ``forget(_:)``.
  ///
  /// - Parameter instance: the number of the process, ``Caller/instance``.
  package func source(for instance: UInt64) -> AsyncStream<Element>.Continuation { queue(of: instance).source }

  /// Works on the elements of one process side by side, each as it arrives, until the task is cancelled. After
  /// ``forget(_:)`` it returns as soon as the work on those that arrived has ended.
  ///
  /// - Parameters:
  ///   - instance: the number of the process, ``Caller/instance``. Only one task may accompany it.
  ///   - work: is cancelled with the task.
  package func accompany(_ instance: UInt64, _ work: @escaping @Sendable (Element) async -> Void) async {
    let arrivals = queue(of: instance).stream
    await withDiscardingTaskGroup { group in
      for await element in arrivals {
        group.addTask { await work(element) }
      }
    }
  }

  /// Ends the queue of a process that is gone.
  package func forget(_ instance: UInt64) { queues.withLock { $0.removeValue(forKey: instance) }?.source.finish() }

  private func queue(of instance: UInt64) -> Queue {
    queues.withLock { queues in
      if let known = queues[instance] { return known }
      let queue = AsyncStream.makeStream(of: Element.self)
      queues[instance] = (queue.stream, queue.continuation)
      return (queue.stream, queue.continuation)
    }
  }
}
