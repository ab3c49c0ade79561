export { isProtected } from './access/isProtected.ts'
export { MAX_DESCRIPTION_LENGTH } from './schema/common/maxDescriptionLength.ts'
export { condition } from './words/condition.ts'
export type { WordContext } from './words/context.ts'
export type { ConfigurationData, TargetData } from './words/data.ts'
export {
  type EnvironmentStatus,
  environmentStatus,
  movementWords,
  type StatusOptions
} from './words/environmentStatus.ts'
export { english, type Messages } from './words/messages.ts'
export { type RolloutState, rolloutState } from './words/rolloutState.ts'
export { changeSentences, type FeatureData, sentence, sentences, servedSentences } from './words/sentence.ts'
export { rolloutWords } from './words/targetDetails.ts'
export { type TargetWarning, targetWarnings, type WarningOptions, warningSentence } from './words/targetWarnings.ts'
