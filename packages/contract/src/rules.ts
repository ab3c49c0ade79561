// Rules that the server and its clients apply alike, for pages too: without operations and zod.

export { approvalSettings } from './rules/approvalSettings.ts'
export {
  type ActorFacts,
  approvalAction,
  approversOf,
  type ChangeRequestAction,
  type ChangeRequestActor,
  type ChangeRequestTransition,
  changeRequestTransitions,
  findTransition,
  isOneOfActors,
  reviewedStatus
} from './rules/changeRequestTransitions.ts'
export { initialEnvironments } from './rules/initialEnvironments.ts'
export {
  type EnvironmentState,
  environmentStates,
  type ServedFeature,
  type ServedVariation,
  servedInProduction
} from './rules/servedVariation.ts'
export { isOfType, valueDescriptions } from './rules/variableValue.ts'
export {
  type ServingConfiguration,
  type ServingOptions,
  type VariationForAll,
  variationForAll
} from './rules/variationForAll.ts'
export { sanitizeName } from './words/context.ts'
export { isUserProperty, type UserProperty, userProperties } from './words/messages.ts'
