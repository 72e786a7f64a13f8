import ExtensionProtocol

extension HostMetrics {
  /// The metrics in the exposition format of Prometheus. The host app serves it where and to whom it wants, as
  /// `text/plain; version=0.0.4`.
  public func prometheusText() -> String {
    var text = PrometheusText()
    text.family("annex_alive_extensions", .gauge, "Processes of extensions that are there.") { $0.add(Int64(alive)) }
    text.family("annex_kept_extensions", .gauge, "Processes that are kept ready, in use or not.") {
      $0.add(Int64(kept))
    }
    text.family("annex_open_requests", .gauge, "Requests that are open.") { $0.add(Int64(openRequests)) }
    text.family("annex_waiting_requests", .gauge, "Requests that wait for a process or a launch.") {
      $0.add(Int64(waitingRequests))
    }
    text.family("annex_open_descriptors", .gauge, "Descriptors of the host's process that are open.") {
      $0.add(Int64(descriptors))
    }
    text.family("annex_descriptor_limit", .gauge, "How many descriptors the host's process may have.") {
      $0.add(Int64(clamping: descriptorLimit))
    }
    text.family("annex_launch_seconds", .histogram, "From the start of a process to its answer to initialize.") {
      $0.add(launches.times)
    }
    text.family("annex_launch_errors_total", .counter, "Launches that failed.") { $0.add(launches.errors) }
    text.family("annex_warm_requests_total", .counter, "Requests that a process which was kept ready served.") {
      $0.add(warmRequests)
    }
    text.family("annex_received_bytes_total", .counter, "Bytes of messages from extensions.") { $0.add(bytesReceived) }
    text.family("annex_sent_bytes_total", .counter, "Bytes of messages to extensions.") { $0.add(bytesSent) }
    addErrors(to: &text)
    addExtensions(to: &text)
    addCalls(to: &text)
    return text.text
  }

  private func addErrors(to text: inout PrometheusText) {
    text.family("annex_request_errors_total", .counter, "Requests that ended with an error, by its code.") { family in
      for (code, count) in requestErrors.sorted(by: { $0.key < $1.key }) { family.add(count, ["code": code]) }
    }
    text.family("annex_failures_total", .counter, "Processes of extensions that failed, by kind.") { family in
      for kind in FailureKind.allCases { family.add(failures[kind] ?? 0, ["kind": kind.rawValue]) }
    }
  }

  private func addExtensions(to text: inout PrometheusText) {
    let all = extensions.sorted { $0.key < $1.key }
    text.family("annex_request_seconds", .histogram, "Requests to an extension, from begin to end.") { family in
      for (id, counts) in all { family.add(counts.requests.times, ["extension": id]) }
    }
    text.family("annex_extension_request_errors_total", .counter, "Requests to an extension that failed.") { family in
      for (id, counts) in all { family.add(counts.requests.errors, ["extension": id]) }
    }
    text.family("annex_extension_failures_total", .counter, "Processes of an extension that failed.") { family in
      for (id, counts) in all { family.add(counts.failures, ["extension": id]) }
    }
  }

  private func addCalls(to text: inout PrometheusText) {
    for (name, help, calls) in [
      ("call", "Calls of extensions by the host.", calls),
      ("served_call", "Calls of extensions that the host served.", served),
    ] {
      let all = calls.sorted { $0.key < $1.key }
      text.family("annex_\(name)_seconds", .histogram, help) { family in
        for (point, timing) in all { family.add(timing.times, ["point": point]) }
      }
      text.family("annex_\(name)_errors_total", .counter, "\(help.dropLast()), with an error.") { family in
        for (point, timing) in all { family.add(timing.errors, ["point": point]) }
      }
    }
  }
}

extension PrometheusText {
  /// What the state directory has counted of extensions over all hosts and runs, as `host stats --prometheus` shows it.
  package init(_ statistics: [(id: String, statistics: ExtensionStatistics)]) {
    self.init()
    func labels(_ id: String) -> KeyValuePairs<String, String> { ["extension": id] }
    family("annex_extension_launches_total", .counter, "Processes that were started.") { family in
      for one in statistics { family.add(one.statistics.launches, labels(one.id)) }
    }
    family("annex_extension_failures_total", .counter, "Processes that failed.") { family in
      for one in statistics { family.add(one.statistics.failures, labels(one.id)) }
    }
    family("annex_extension_warm_requests_total", .counter, "Requests that a kept process served.") { family in
      for one in statistics { family.add(one.statistics.warm, labels(one.id)) }
    }
    family("annex_extension_launch_seconds", .histogram, "From the start of a process to its answer to initialize.") {
      family in
      for one in statistics { family.add(one.statistics.launch, labels(one.id)) }
    }
    for (name, help, path) in [
      ("annex_extension_call_seconds", "Calls of the extension by the host.", \ExtensionStatistics.calls),
      ("annex_extension_served_call_seconds", "Calls of the extension that the host served.", \.served),
    ] {
      family(name, .histogram, help) { family in
        for one in statistics {
          for (method, counts) in one.statistics[keyPath: path].sorted(by: { $0.key < $1.key }) {
            family.add(counts.latency, ["extension": one.id, "method": method])
          }
        }
      }
      let errors = name.replacing("_seconds", with: "_errors_total")
      family(errors, .counter, "\(help.dropLast()), with an error.") { family in
        for one in statistics {
          for (method, counts) in one.statistics[keyPath: path].sorted(by: { $0.key < $1.key }) {
            family.add(counts.errors, ["extension": one.id, "method": method])
          }
        }
      }
    }
  }
}
