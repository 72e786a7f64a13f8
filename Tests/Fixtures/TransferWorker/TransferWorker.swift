import EventLoop
import Glibc
import HTTPClient
import Transfers

/// Runs the transfers of a journal until it is killed, or nothing is left that could run.
///
/// `TransferWorker FOLDER APP SESSION`. It ends with 0 when all tasks of the session are over, and with 74 when something
/// fails that is no task.
@main
struct TransferWorker {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4 else { exit(64) }
    // A file that may not grow is an error, and not the end.
    signal(SIGXFSZ, SIG_IGN)
    let key = SessionKey(app: words[2], identifier: words[3])
    var options = TransferJournal.Options(folder: words[1])
    options.pollInterval = .milliseconds(200)
    let journal = TransferJournal(options)
    let loop = EventLoop.onThread(name: "worker")
    var running = TransferRunner.Options(sleep: { try await loop.sleep(for: $0) }) { _, _, _ in
      .allowed(reaches: [.loopback])
    }
    // Every few bytes: whoever kills this shall find all kinds of states.
    running.checkpointInterval = .milliseconds(2)
    running.random = { 0 }
    running.sleepUntilDue = { try await loop.sleep(for: min($0, .milliseconds(5))) }
    var configuration = HTTPClient.Configuration()
    configuration.timeout = nil
    let runner = TransferRunner(journal, client: HTTPClient(configuration: configuration), options: running)
    let isDone = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do { try await runner.run() } catch { return false }
        return true
      }
      group.addTask {
        while true {
          let count = journal.changes.count
          guard let tasks = try? await journal.tasks(key) else { return false }
          if tasks.allSatisfy({ $0.state.isOver }) { return true }
          do { try await journal.changes.wait(past: count) } catch { return false }
        }
      }
      let first = await group.next() ?? false
      group.cancelAll()
      return first
    }
    exit(isDone ? 0 : 74)
  }
}
