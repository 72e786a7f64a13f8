import JSONRPC
import ExtensionHosting
import HostServices
import JSON

extension Golden {
  private static let id = "com.example.share.uploads"

  static let sessions: [Golden] = [
    Golden(
      Sessions.Create(
        sessionID: id, sharedContainerIdentifier: "group.com.example",
        configuration: Sessions.Configuration(
          sessionSendsLaunchEvents: true, isDiscretionary: false, timeoutIntervalForRequest: 30.5,
          timeoutIntervalForResource: 3600.5, httpMaximumConnectionsPerHost: 2,
          httpAdditionalHeaders: ["Accept": "image/jpeg"])),
      Sessions.Create.Result(
        epoch: 3,
        tasks: [
          Sessions.TaskStatus(
            taskID: 12, kind: .download, url: "https://example.com/a.jpg", state: .running, bytesDone: 512,
            bytesExpected: 2048, destination: "Pictures/a.jpg")
        ])),
    Golden(
      Sessions.DownloadTask(
        sessionID: id, epoch: 3, request: Sessions.Request(url: "https://example.com/a.jpg"),
        destination: "Pictures/a.jpg", sha256: String(repeating: "0a", count: 32)),
      Sessions.AddedTask(taskID: 12)),
    Golden(
      Sessions.UploadTask(
        sessionID: id, epoch: 3,
        request: Sessions.Request(
          url: "https://example.com/b.jpg", method: "POST", headers: ["Content-Type": "image/jpeg"]), file: "b.jpg"),
      Sessions.AddedTask(taskID: 13)),
    Golden(
      Sessions.Tasks(sessionID: id, epoch: 3),
      Sessions.Tasks.Result(tasks: [
        Sessions.TaskStatus(
          taskID: 13, kind: .upload, url: "https://example.com/b.jpg", state: .failed,
          error: Sessions.Failure(
            domain: "NSURLErrorDomain", code: -1001, localizedDescription: "The server did not answer in time.",
            recovery: "Try again."))
      ])),
    Golden(Sessions.CancelTask(sessionID: id, epoch: 3, taskID: 13), Empty()),
    Golden(Sessions.FinishAndInvalidate(sessionID: id, epoch: 3), Empty()),
    Golden(Sessions.InvalidateAndCancel(sessionID: id, epoch: 3), Empty()),
    Golden(Sessions.EventsHandled(sessionID: id, epoch: 4), Empty()),
    Golden(
      Sessions.HandleEvents(
        sessionID: id, epoch: 4,
        events: [
          Sessions.Event(eventID: 7, taskID: 12, type: .didFinishDownloading, path: "Pictures/a.jpg"),
          Sessions.Event(
            eventID: 8, taskID: 12, type: .didComplete,
            response: Sessions.Response(
              status: 200, headers: ["content-type": "image/jpeg"], url: "https://example.com/a.jpg")),
        ]), Sessions.HandleEvents.Result(acked: [7, 8])),
  ]
}
