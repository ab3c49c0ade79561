import type { Environment, Feature } from '@burgee/contract/schemas'
import type { ConfigurationData, WordContext } from '@burgee/contract/words'
import { escapeLine } from '@burgee/kit/text'
import {
  changedValues,
  configurationIn,
  type FeatureUpdate,
  updateIn,
  type ValueChange,
  withStatus
} from './featureUpdate.ts'

/** What users of environments get before and after an update of a feature. */
interface ServedChange {
  readonly lines: readonly string[]
  /** The keys of the environments whose users get something else. */
  readonly where: readonly string[]
}

/** Describes what users of each environment get before and after an update of a feature. */
export async function describeServed(
  feature: Feature,
  update: FeatureUpdate,
  environments: readonly Environment[],
  words: WordContext
): Promise<ServedChange> {
  const [{ changeSentences, english, servedSentences }, { servedAfter }] = await Promise.all([
    import('@burgee/contract/words'),
    import('./servedAfter.ts')
  ])
  const past = withStatus(feature, update)
  const beforeAndAfter = ([now, then]: readonly [ConfigurationData, ConfigurationData]) => {
    const [was, is] = [servedSentences(feature, now, words), servedSentences(past, then, words)].map((one) =>
      one.join(' ')
    )
    return was === is ? undefined : [`Before: ${was}`, `After: ${is}`]
  }
  const targeting = environments.flatMap((environment) => {
    const before = configurationIn(feature, environment)
    const changed = updateIn(update, environment)
    if (!before || !changed) return []
    const isUnordered = 'isUnordered' in changed && changed.isUnordered === true
    const messages = isUnordered ? { ...english, changeAdded: addedAnywhere } : english
    const after = { ...before, ...changed }
    const sentences = [...changeSentences(before, after, { ...words, messages })]
    if (sentences.length === 0) return []
    if (!update.isReversion) sentences.push(...servedAfter(past, { before, after }, words))
    const served = update.isReversion && !isUnordered && beforeAndAfter([before, after])
    return [{ key: environment.key, sentences: served || sentences, isServed: Boolean(served) }]
  })
  // What users get there is described with the targets.
  const described = new Set(targeting.flatMap(({ key, isServed }) => (isServed ? [key] : [])))
  const others = environments.filter(({ key }) => !described.has(key))
  const statuses = await describeStatus(feature, update, others, words)
  const changed = [...targeting, ...statuses]
  const values = await describeValues(feature, changedValues(feature, update), environments, words)
  return {
    lines: [
      ...changed.flatMap(({ key, sentences }) => [
        `${feature.key} in ${key}:`,
        ...sentences.map((line) => `  ${line}`)
      ]),
      ...values.lines
    ],
    where: [...new Set([...changed.map(({ key }) => key), ...values.where])]
  }
}

/** The sentence about a target that is added at an unknown position. */
export function addedAnywhere({ name, target }: { readonly name: string; readonly target: string }): string {
  return `Added target ${name}. ${target}`
}

/** Describes a change of the status of a feature, which takes precedence over its targets. */
async function describeStatus(
  feature: Feature,
  update: FeatureUpdate,
  environments: readonly Environment[],
  words: WordContext
) {
  const { status, staticVariation, isDeleted = false, isOff = false } = update
  if (status === undefined && staticVariation === undefined && !isDeleted && !isOff) return []
  const { servedSentences } = await import('@burgee/contract/words')
  return environments.flatMap((environment) => {
    const configuration = configurationIn(feature, environment)
    if (!configuration) return []
    const before = servedSentences(feature, configuration, words)
    const later = isOff ? { ...configuration, status: 'inactive' as const } : configuration
    const after = isDeleted ? [DELETED] : servedSentences(withStatus(feature, update), later, words)
    // A feature that is off serves nothing, whatever its status is.
    const isOn = configuration.status === 'active' && !(isDeleted && feature.status === 'archived')
    const [was, is] = [before.join(' '), after.join(' ')]
    return !isOn || was === is ? [] : [{ key: environment.key, sentences: [`Before: ${was}`, `After: ${is}`] }]
  })
}

const DELETED = 'Deleted: applications use their default values.'

/** Describes new values of variations, and who gets them. */
async function describeValues(
  feature: Feature,
  changes: readonly ValueChange[],
  environments: readonly Environment[],
  words: WordContext
): Promise<ServedChange> {
  const serving = environments.filter((environment) => configurationIn(feature, environment)?.status === 'active')
  if (changes.length === 0 || serving.length === 0 || feature.status === 'archived') return { lines: [], where: [] }
  const { servedSentences } = await import('@burgee/contract/words')
  const places = serving.map((environment) => {
    const served = configurationIn(feature, environment)
    return `  In ${environment.key}: ${served ? servedSentences(feature, served, words).join(' ') : ''}`
  })
  const lines = changes.map(({ variation, variable, before, after }) => {
    const [old, current] = [before, after].map((value) => (value === undefined ? 'none' : JSON.stringify(value)))
    return escapeLine(`  ${variation.name} (${variation.key}), ${variable}: ${old} → ${current}`)
  })
  const keys = serving.map(({ key }) => key)
  return { lines: [`${feature.key}, which is on in ${keys.join(', ')}:`, ...lines, ...places], where: keys }
}
