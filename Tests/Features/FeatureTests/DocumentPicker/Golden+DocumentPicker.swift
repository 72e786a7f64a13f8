import HostServices

extension Golden {
  static let documentPicker: [Golden] = [
    Golden(
      DocumentPicker.Prepare(
        requestID: "r1", mode: .exportToService, originalURL: "plan_txt.x1", originalName: "plan.txt",
        documentStorage: FileProvider.Storage(group: "group.com.example.notes"),
        providerIdentifier: "com.example.notes"),
      Empty()),
    Golden(
      DocumentPicker.List(requestID: "r1", directory: "trips", cursor: "2"),
      DocumentPicker.List.Result(
        entries: [
          DocumentPicker.Entry(
            identifier: "trips/plan.txt", name: "plan.txt", type: "public.plain-text", size: 1200, local: true)
        ], next: "3")),
    Golden(DocumentPicker.Select(requestID: "r1", identifier: "trips/plan.txt"), Empty()),
    Golden(
      DocumentPicker.DismissGrantingAccess(requestID: "r1", url: nil), Empty()),
  ]
}
