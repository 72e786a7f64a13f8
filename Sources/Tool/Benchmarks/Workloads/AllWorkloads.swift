import MeasuredHost

extension Workload {
  /// Every workload, in the order of the table. Memory comes first, before others leave their traces in this process.
  static let all: [Workload] =
    memory + [dataWidgetMemory, emulatorSubscribers] + alive + cold + [warm] + roundTrips + [pipe] + payloads + spawns
    + bubblewraps + commandStart + [storeRead] + storeWrites + [
      storeNotify, storePostgreSQLWrite, storePostgreSQLNotify, sessionEvent, contentCached, contentImage,
      contentQuery, graphQLParse, dataGenerate, dataExecuteCached,
    ] + emulatorRequests + [emulatorGRPC, emulatorPush] + auth + transfers + signing
}
