import { type ConfigurationData, type FeatureData, servedSentences, type WordContext } from '@burgee/contract/words'

/** The configuration of a feature in an environment before and after a change. */
interface ConfigurationChange {
  readonly before: ConfigurationData
  readonly after: ConfigurationData
}

/**
 * Describes what users get from a flag that is turned on with existing targets, which the list of changes does not
 * name.
 */
export function servedAfter(
  feature: FeatureData,
  { before, after }: ConfigurationChange,
  words: WordContext
): readonly string[] {
  const isTurnedOn = before.status !== 'active' && after.status === 'active'
  if (!isTurnedOn || !before.targets?.length) return []
  return [`After: ${servedSentences(feature, after, words).join(' ')}`]
}
