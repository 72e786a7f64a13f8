internal import CCurl
internal import EventLoop
internal import Synchronization

/// The thread that runs the transfers of one client.
///
/// `@unchecked Sendable`: all that other threads touch is in `shared`, behind its lock; the multi handle is made under
/// the lock before the thread starts and freed under the lock by the thread, and other threads call only
/// `curl_multi_wakeup` on it, under the lock, which curl allows. `transfers` and `heldBack` belong to the
/// thread alone.
@safe
final class TransferEngine: @unchecked Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  private struct Shared {
    var submitted: [(UInt64, TransferOrder, Completion)] = []
    var cancelled: Set<UInt64> = []
    /// Paused, and now the reader takes more.
    var resumed: Set<UInt64> = []
    /// Announced and not finished: a cancellation of any other number comes too late.
    var open: Set<UInt64> = []
    var lastIdentifier: UInt64 = 0
    var isStopped = false
    var isRunning = false
  }

  private let shared = Mutex(Shared())
  private var multi: UnsafeMutableRawPointer?
  private var transfers: [UInt64: Transfer] = [:]
  /// Paused because of a limit, longest first.
  private var heldBack: [UInt64] = []

  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  func nextIdentifier() -> UInt64 {
    shared.withLock {
      $0.lastIdentifier += 1
      $0.open.insert($0.lastIdentifier)
      return $0.lastIdentifier
    }
  }

  /// How many transfers are announced and not finished.
  var openCount: Int { shared.withLock { $0.open.count } }

  /// Starts a transfer; the completion is called once, on the thread of the engine or at once.
  func submit(_ id: UInt64, _ order: TransferOrder, completion: @escaping Completion) {
    let refusal: HTTPError? = shared.withLock { state in
      let url = order.request.url
      // The task may have been cancelled before its transfer was submitted.
      guard !state.isStopped, state.cancelled.remove(id) == nil else {
        state.open.remove(id)
        return HTTPError(.cancelled, "The request was cancelled.", url: url)
      }
      guard startIfNeeded(&state) else {
        state.open.remove(id)
        return HTTPError(.unreachable, "libcurl cannot be started.", url: url)
      }
      state.submitted.append((id, order, completion))
      wake()
      return nil
    }
    if let refusal { completion(.failure(refusal)) }
  }

  /// Ends a transfer, or keeps it from starting. Nothing happens when it has finished.
  func cancel(_ id: UInt64) {
    shared.withLock { state in
      guard state.open.contains(id) else { return }
      state.cancelled.insert(id)
      wake()
    }
  }

  /// Lets a transfer go on whose reader took nothing for a while.
  func resume(_ id: UInt64) {
    shared.withLock { state in
      guard state.open.contains(id) else { return }
      state.resumed.insert(id)
      wake()
    }
  }

  /// Ends the thread and all transfers.
  func stop() {
    shared.withLock { state in
      state.isStopped = true
      wake()
    }
  }

  /// Under the lock.
  private func wake() {
    if let multi = unsafe multi { unsafe curl_multi_wakeup(multi) }
  }

  /// Under the lock. The thread holds the engine, never the client, whose end stops it.
  private func startIfNeeded(_ state: inout Shared) -> Bool {
    if state.isRunning { return true }
    guard Self.isReady, let made = unsafe curl_multi_init() else { return false }
    unsafe multi = made
    guard SystemThread.start(name: "http-client", { self.run() }) == 0 else {
      unsafe curl_multi_cleanup(made)
      unsafe multi = nil
      return false
    }
    state.isRunning = true
    return true
  }

  private func run() {
    guard let multi = unsafe multi else { return }
    while unsafe takeOrders(multi) {
      unsafe goOnWithinLimits(multi)
      // Perform before polling: a handle that was just added has no socket to poll yet.
      var running: Int32 = 0
      unsafe curl_multi_perform(multi, &running)
      if unsafe finishTransfers(multi) { continue }
      unsafe curl_multi_poll(multi, nil, 0, holdBack(), nil)
    }
    for transfer in transfers.values {
      unsafe curl_multi_remove_handle(multi, transfer.handle)
      transfer.cancel()
    }
    transfers = [:]
    shared.withLock { _ in
      unsafe curl_multi_cleanup(multi)
      unsafe self.multi = nil
    }
  }

  /// Takes over what was submitted and cancelled; false when the client ended.
  private func takeOrders(_ multi: UnsafeMutableRawPointer) -> Bool {
    let (submitted, cancelled, resumed, isStopped) = shared.withLock { state in
      // A task may be cancelled before its transfer is submitted: that has to be known until then.
      let cancelled = state.cancelled.filter { id in
        transfers[id] != nil || state.submitted.contains { $0.0 == id }
      }
      let taken = (state.submitted, cancelled, state.resumed, state.isStopped)
      state.submitted = []
      state.resumed = []
      state.cancelled.subtract(cancelled)
      return taken
    }
    for (id, order, completion) in submitted {
      guard !isStopped, !cancelled.contains(id), let transfer = Transfer(order, completion: completion) else {
        close(id)
        completion(.failure(HTTPError(.cancelled, "The request was cancelled.", url: order.request.url)))
        continue
      }
      transfers[id] = transfer
      unsafe curl_multi_add_handle(multi, transfer.handle)
    }
    for id in cancelled {
      guard let transfer = transfers.removeValue(forKey: id) else { continue }
      unsafe curl_multi_remove_handle(multi, transfer.handle)
      close(id)
      transfer.cancel()
    }
    for id in resumed { unsafe goOn(id, multi) }
    return !isStopped
  }

  private func goOn(_ id: UInt64, _ multi: UnsafeMutableRawPointer) {
    guard let transfer = transfers[id] else { return }
    let code = transfer.resume()
    guard code != CURLE_OK else { return }
    transfers[id] = nil
    unsafe curl_multi_remove_handle(multi, transfer.handle)
    close(id)
    transfer.finish(code)
  }

  // MARK: Limits

  /// Pauses what found its limit used up.
  ///
  /// - Returns: how many milliseconds curl may wait at most.
  private func holdBack() -> Int32 {
    for (id, transfer) in transfers {
      guard let files = transfer.files, files.isHeldBack, !heldBack.contains(id) else { continue }
      transfer.pause()
      heldBack.append(id)
    }
    var wait = Duration.seconds(60)
    for id in heldBack {
      guard let limit = transfers[id]?.files?.limit else { continue }
      wait = min(wait, limit.wait ?? .zero)
    }
    return Int32(wait.wholeMilliseconds) + (heldBack.isEmpty ? 0 : 1)
  }

  /// Lets those go on whose limits allow it, one piece each, longest paused first.
  private func goOnWithinLimits(_ multi: UnsafeMutableRawPointer) {
    if heldBack.isEmpty { return }
    let ids = heldBack
    heldBack = []
    for id in ids {
      guard let files = transfers[id]?.files else { continue }
      guard files.limit?.wait == nil else {
        heldBack.append(id)
        continue
      }
      files.isHeldBack = false
      unsafe goOn(id, multi)
    }
  }

  /// Hands over what curl finished; true when there was any.
  private func finishTransfers(_ multi: UnsafeMutableRawPointer) -> Bool {
    var finishedAny = false
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
        continue
      }
      // The message is gone once its handle is removed.
      let code = unsafe ccurl_result(message)
      unsafe curl_multi_remove_handle(multi, handle)
      finishedAny = true
      guard let id = transfers.first(where: { unsafe $0.value.handle == handle })?.key,
        let transfer = transfers.removeValue(forKey: id)
      else { continue }
      close(id)
      transfer.finish(code)
    }
    return finishedAny
  }

  private func close(_ id: UInt64) {
    shared.withLock { state in
      state.open.remove(id)
      state.cancelled.remove(id)
    }
  }
}
