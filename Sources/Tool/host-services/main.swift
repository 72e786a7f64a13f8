import Contracts
import FeatureChecks
import FeatureCommands
import HostCLI
import LightCommands
import LinkedLibraries
import PageCommand

// Every command, in the order of the features' names: help, completions and manual pages are made from it.
let features = (Features.lightCommands + Features.commands + [PageCommands.self]).sorted { "\($0)" < "\($1)" }
HostCommand(features: features, checks: Features.checks, libraries: LinkedLibraries()).main()
