import { revisionOf } from '@burgee/contract/client'
import type { Environment, Feature, FeatureConfiguration } from '@burgee/contract/schemas'
import type { WordContext } from '@burgee/contract/words'
import { UsageError } from '@burgee/kit/settings'
import { chooseEnvironment, readEnvironments } from '../../run/server/readEnvironments.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'

/** A flag in one environment, as a command read it. */
export interface FlagInEnvironment {
  readonly feature: Feature
  readonly environment: Environment
  /** All environments of the project. */
  readonly environments: readonly Environment[]
  readonly configuration: FeatureConfiguration
  /** The revision to require of changes. */
  readonly revision: string | undefined
  readonly words: WordContext
}

/** Reads a flag in the environment of the settings. @throws {UsageError} if the project lacks the environment. */
export async function readFlag(session: Session, key: string): Promise<FlagInEnvironment> {
  const { client } = session
  const [project, environmentKey] = [session.project(), session.environment()]
  const [feature, environments, words] = await Promise.all([
    client.getFeature({ params: { project, feature: key } }),
    readEnvironments(session, project),
    wordContext(session, project)
  ])
  const environment = chooseEnvironment(environments, environmentKey, project)
  const configurations = await client.listFeatureConfigurations({
    params: { project, feature: key },
    query: { environment: environment.key }
  })
  const [configuration] = configurations
  if (!configuration) throw new UsageError(`feature ${key} has no configuration in ${environment.key}`)
  return {
    feature,
    environment,
    environments,
    configuration,
    revision: revisionOf(configurations),
    words: withVariations(words, feature)
  }
}

/** Prints a notice if a flag whose targets change is off, and stays off. */
export function noticeIfOff(
  { feature, environment, configuration }: FlagInEnvironment,
  { terminal, suggest }: Session
): void {
  if (configuration.status === 'active') return
  const command = suggest(`flags on ${feature.key} --environment ${environment.key}`)
  terminal.notice(`${feature.key} is off in ${environment.key}, and stays off: turn it on with ${command}`)
}
