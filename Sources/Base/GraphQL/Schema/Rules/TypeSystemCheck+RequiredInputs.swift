extension TypeSystemCheck {
  /// What has to be given cannot be deprecated: nobody could do without it.
  func requiredInputs(_ errors: inout ErrorList) {
    for (owner, input) in inputs {
      guard case .nonNull = input.type, input.defaultValue == nil, let directive = input.directives["deprecated"]
      else { continue }
      errors.add(
        "\(owner.shownInError) is required and cannot be deprecated.", fix: "Let it be null, or give it a default.",
        code: "RequiredInputs", at: directive.position)
    }
  }
}
