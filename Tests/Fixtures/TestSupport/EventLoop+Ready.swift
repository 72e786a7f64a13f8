package import EventLoop
import Foundation

extension EventLoop {
  /// Calls back behind whatever is ready by now. On the loop's thread.
  ///
  /// Inotify's events are there as soon as a change is made, and what became ready first is told first.
  package func afterWhatIsReady(_ action: @escaping () -> Void) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let (reader, writer) = (ends[0], ends[1])
    close(writer)
    var end: Watch?
    end = try? watch(reader, for: .reading) { [unowned self] _ in
      if let end { unwatch(end) }
      close(reader)
      action()
    }
  }
}
