import { revisionOf } from '@burgee/contract/client'
import type { Environment, Feature, FeatureConfiguration } from '@burgee/contract/schemas'
import type { WordContext } from '@burgee/contract/words'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { Session } from '../../run/session.ts'

/** A flag in one environment, as a command read it. */
export interface FlagInEnvironment {
  readonly feature: Feature
  readonly environment: Environment
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
    client.listEnvironments({ params: { project } }),
    wordContext(session, project)
  ])
  const environment = environments.find(({ key: known, _id }) => known === environmentKey || _id === environmentKey)
  if (!environment) {
    const keys = environments.map((one) => one.key)
    throw new UsageError(
      `project ${project} has no environment "${environmentKey}"${suggestion(environmentKey, keys)}: it has ${keys.join(', ')}`
    )
  }
  const configurations = await client.listFeatureConfigurations({
    params: { project, feature: key },
    query: { environment: environment.key }
  })
  const [configuration] = configurations
  if (!configuration) throw new UsageError(`feature ${key} has no configuration in ${environment.key}`)
  return {
    feature,
    environment,
    configuration,
    revision: revisionOf(configurations),
    words: withVariations(words, feature)
  }
}

/** Returns the names that sentences about targets need. */
export async function wordContext({ client, terminal }: Session, project: string): Promise<WordContext> {
  const audiences = await client.listAudiences({ params: { project }, query: { perPage: 1000 } })
  return {
    now: terminal.now(),
    audiences: new Map(
      audiences.flatMap(({ _id, key, name }) => [
        [_id, name],
        [key, name]
      ])
    )
  }
}

/** Adds the names of the variations of a feature. */
export function withVariations(words: WordContext, { variations }: Pick<Feature, 'variations'>): WordContext {
  return {
    ...words,
    variations: new Map(
      variations.flatMap(({ _id, key, name }) => [
        [_id, name],
        [key, name]
      ])
    )
  }
}
