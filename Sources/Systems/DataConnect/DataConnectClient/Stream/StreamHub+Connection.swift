internal import EventLoop
internal import Text
internal import WebSocket

/// Opening, reading, writing and ending.
extension StreamHub {
  func connect(_ link: Link, _ key: Key, isRefused: Bool) {
    disconnect(link)
    lastNumber += 1
    let number = lastNumber
    let (texts, outbox) = AsyncStream<String>.makeStream()
    let (life, end) = AsyncStream<Never>.makeStream()
    link.connection = Connection(number: number, outbox: outbox, end: end)
    let source = link.token
    commands.yield(
      .start {
        await withDiscardingTaskGroup { group in
          group.addTask {
            await self.converse(number, key, source, isRefused, texts)
            end.finish()
          }
          for await _ in life {}
          group.cancelAll()
        }
      })
  }

  func disconnect(_ link: Link) {
    link.connection?.outbox.finish()
    link.connection?.end.finish()
    link.connection = nil
  }

  /// From the opening of a connection to its end.
  private func converse(
    _ number: UInt64, _ key: Key, _ source: @escaping TokenSource, _ isRefused: Bool, _ texts: AsyncStream<String>
  ) async {
    let end: StreamRefusal
    do throws(StreamRefusal) {
      let (socket, token) = try await open(key, source, isRefused)
      defer { socket.close() }
      guard isCurrent(number, key) else { return }
      handle(.opened(token?.text), key)
      let failure = await withTaskGroup(of: DataConnectFailure?.self) { group in
        group.addTask {
          for await text in texts {
            do throws(WebSocketError) { try await socket.send(text: text) } catch { break }
          }
          return nil
        }
        group.addTask { await self.read(socket, number, key) }
        var failure: DataConnectFailure?
        // Reading tells how a connection ended, writing never does.
        while failure == nil, let next = await group.next() { failure = next }
        group.cancelAll()
        return failure
      }
      end = StreamRefusal(failure ?? .cancelled, isFinal: false)
    } catch { end = error }
    guard isCurrent(number, key) else { return }
    links[key]?.connection = nil
    handle(.closed(end.failure, isFinal: end.isFinal), key)
  }

  private func open(
    _ key: Key, _ source: TokenSource, _ isRefused: Bool
  ) async throws(StreamRefusal) -> (any StreamSocket, IDToken?) {
    let (url, token): (String, IDToken?)
    do throws(DataConnectFailure) {
      token = try await OperationExchange.token(of: key.user?.text, from: source, forceRefresh: isRefused)
      url = try key.endpoint.streamURL()
    } catch {
      throw StreamRefusal(error, isFinal: true)
    }
    return (try await opening(url, key.endpoint), token)
  }

  private func isCurrent(_ number: UInt64, _ key: Key) -> Bool { links[key]?.connection?.number == number }

  /// - Returns: why nothing more comes.
  private func read(_ socket: any StreamSocket, _ number: UInt64, _ key: Key) async -> DataConnectFailure {
    while true {
      let message: WebSocketMessage?
      do throws(WebSocketError) { message = try await socket.receive() } catch { return .lost(error, at: key.endpoint) }
      guard let message else { return .lost(nil, at: key.endpoint) }
      guard isCurrent(number, key) else { return .cancelled }
      let reply: StreamReply
      do throws(DataResponse.Misshapen) { reply = try StreamReply(message) } catch {
        return .misshapen(error.what, at: key.endpoint)
      }
      for delivery in handle(.received(reply), key) {
        // The next frame waits until this one is kept, so that the newer one stays.
        for (use, sinks) in delivery.sinks {
          let scope = CacheScope(use, key.endpoint, user: key.user?.text)
          await keeper.keep(delivery.answer, of: delivery.operation, in: scope, use, sinks: sinks)
        }
      }
    }
  }
}

extension DataConnectFailure {
  fileprivate static func lost(_ error: WebSocketError?, at endpoint: DataConnectEndpoint) -> DataConnectFailure {
    DataConnectFailure(
      .unavailable, "The stream of \(endpoint.server) ended. \(error?.message ?? "The server closed it.")",
      recovery: "Check that the server is up and try again.")
  }
}

/// How long to wait before a connection is made again: 1 s × 1.3 for each attempt, ± 10 %, at most 30 s.
enum ReconnectDelay {
  private static let backOff = BackOff(first: 1, factor: 1.3, longest: 30, least: 0.9, chance: 0.2)

  /// - Parameters:
  ///   - attempt: how many have failed in a row, from 1.
  ///   - random: from 0 to 1.
  static func after(attempt: Int, random: Double) -> Duration {
    .milliseconds(Int64(backOff.seconds(after: max(attempt, 1), random: random) * 1_000))
  }
}
