import { createHash } from 'node:crypto'
import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import { type Config, type Evaluator, type Problem, recompile } from '@burgee/core'
import type { StoredEnvironment, StoredProject } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { buildConfig, type ConfigInput, usesSdkVisibility } from './buildConfig.ts'
import { openConfigSources } from './configSources.ts'
import { type ConfigVersion, environmentsRenewedBy, toConfigVersion, trackConfigVersions } from './configVersions.ts'
import { type EnvironmentOverrides, openOverrideIndex } from './overrideIndex.ts'

/** What an SDK key stands for at this moment. */
export interface KeyConfig {
  /** The key itself. */
  readonly sdkKey: string
  /** What those name it by who must not keep it. */
  readonly keyDigest: string
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly keyType: SdkKeyType
  /** What the evaluator was compiled from. */
  readonly config: Config
  readonly evaluator: Evaluator
  readonly version: ConfigVersion
  /** Those of the environment at every moment, newer than the rest where they have just changed. */
  readonly overrides: EnvironmentOverrides
  /** Those of the project, live here or not. */
  readonly features: ConfigInput['features']
  readonly variables: ConfigInput['variables']
  /** Whether any feature here can be opted in to. */
  readonly hasOptIn: boolean
}

/** The compiled config of every environment, kept in step with the store. */
export interface Configs {
  /** A look-up in memory; undefined when no environment has this key. */
  readonly current: (sdkKey: string) => KeyConfig | undefined
  /** The same, by the digest of the key. */
  readonly currentByDigest: (keyDigest: string) => KeyConfig | undefined
  /** Tells `listener` of each environment whose config has come to another version, or is gone. Returns a function that ends it. */
  readonly subscribe: (listener: (environment: string) => void) => () => void
  /** How many environments are ready. */
  readonly size: () => number
  readonly close: () => void
}

/** Tells of what happened while configs were compiled or evaluated. */
export interface ConfigsListener {
  readonly onProblem: (environment: StoredEnvironment, problem: Problem) => void
  /** The config of an environment could not be compiled. The one before it stays in force, or an empty one where it could show what is now hidden. */
  readonly onError: (environment: StoredEnvironment, error: unknown) => void
}

interface Dependencies {
  readonly now: () => number
  /** The version of this program. */
  readonly software: string
}

/** Compiles every environment, then follows the store: a write that resolves has been published here. */
export async function openConfigs(store: Store, listener: ConfigsListener, world: Dependencies): Promise<Configs> {
  const byEnvironment = new Map<string, CompiledEnvironment>()
  let byKey: ReadonlyMap<string, KeyConfig> = new Map()
  let rebuilding = Promise.resolve()
  const subscribers = new Set<{ readonly listener: (environment: string) => void }>()
  const overrides = await openOverrideIndex(store)
  const sources = openConfigSources(store)

  const endVersions = await trackConfigVersions(store, world)

  const rebuild = async (environments: ReadonlySet<string>): Promise<void> => {
    if (environments.size === 0) return
    for (const id of environments) {
      const found = await sources.forEnvironment(id)
      const version = await store.collection('configVersions').get({ _id: id })
      if (found && version) {
        const previous = byEnvironment.get(id)
        const byType = compileAll(
          found,
          toConfigVersion(version),
          previous?.byType,
          overrides.forEnvironment(id),
          listener
        )
        byEnvironment.set(id, { byType, byKey: byType.flatMap(withKeys) })
      } else byEnvironment.delete(id)
    }
    byKey = new Map([...byEnvironment.values()].flatMap((compiled) => compiled.byKey))
    for (const { listener: tell } of [...subscribers]) for (const id of environments) tell(id)
  }

  const everything = await store.collection('environments').list()
  await rebuild(new Set(everything.items.map(({ _id }) => _id)))
  const unsubscribe = store.subscribe((change) => {
    overrides.apply(change)
    sources.apply(change)
    // One after another, so that a slow rebuild cannot overwrite a newer one; one that fails does not keep others from it.
    const rebuilt = rebuilding.then(async () => rebuild(environmentsRenewedBy(change)))
    rebuilding = rebuilt.catch(() => {})
    return rebuilt
  })
  return {
    current: (sdkKey) => byKey.get(digestOf(sdkKey)),
    currentByDigest: (keyDigest) => byKey.get(keyDigest),
    subscribe: (tell) => {
      const subscriber = { listener: tell }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    size: () => byEnvironment.size,
    close: () => {
      unsubscribe()
      endVersions()
    }
  }
}

/** What all keys of a type stand for. */
type KeyTypeConfig = Omit<KeyConfig, 'sdkKey' | 'keyDigest'>

/** One environment. What its keys stand for is the same as long as its version is in force, whatever becomes of others. */
interface CompiledEnvironment {
  readonly byType: readonly KeyTypeConfig[]
  /** By digest. */
  readonly byKey: readonly (readonly [string, KeyConfig])[]
}

function withKeys(current: KeyTypeConfig): [string, KeyConfig][] {
  return current.environment.sdkKeys[current.keyType].map(({ key }) => {
    const keyDigest = digestOf(key)
    return [keyDigest, { ...current, sdkKey: key, keyDigest }]
  })
}

/** Keys are looked up by digest, so that the time of a look-up tells nothing about the keys there are. */
function digestOf(sdkKey: string): string {
  return createHash('sha256').update(sdkKey).digest('base64')
}

/** What each type of key of an environment stands for. */
function compileAll(
  sources: ConfigInput,
  version: ConfigVersion,
  previous: readonly KeyTypeConfig[] | undefined,
  overrides: EnvironmentOverrides,
  listener: ConfigsListener
): readonly KeyTypeConfig[] {
  const { project, environment, features, variables } = sources
  const onProblem = problemReporter(environment, listener)
  const compileFor = (keyType: SdkKeyType): CompiledConfig => {
    const before = previous?.find((current) => current.keyType === keyType)
    try {
      // Only what is new takes time, however many features there are.
      return compileConfig(buildConfig(sources, keyType), before?.evaluator, onProblem)
    } catch (error) {
      // Whatever is wrong with one environment must not keep the others from following the store.
      listener.onError(environment, error)
      // Rules from before must not show what the very change that cannot be compiled has hidden from this type of key.
      const isStillVisible = before && !usesSdkVisibility(before.project) && !usesSdkVisibility(project)
      // Keys must follow the store whatever becomes of the rules: without any, every flag is at its default.
      return isStillVisible
        ? before
        : compileConfig(
            buildConfig({ ...sources, features: [], variables: [], audiences: [] }, keyType),
            undefined,
            onProblem
          )
    }
  }
  // Unless features choose who sees them, every type of key sees the same config, and one evaluator serves all.
  const shared = usesSdkVisibility(project) ? undefined : compileFor('server')
  const hasOptIn = project.settings.optIn.enabled && sources.features.some(({ settings }) => settings.optInEnabled)
  return sdkKeyTypes.map((keyType) => {
    const { config, evaluator } = shared ?? compileFor(keyType)
    return { project, environment, keyType, config, evaluator, version, overrides, features, variables, hasOptIn }
  })
}

/** Reports the problems of evaluators. Made where there is nothing else to keep: an evaluator must not hold on to the one before it. */
function problemReporter(environment: StoredEnvironment, { onProblem }: ConfigsListener): (problem: Problem) => void {
  return (problem) => onProblem(environment, problem)
}

/** A config, and what evaluates by it. */
type CompiledConfig = Pick<KeyConfig, 'config' | 'evaluator'>

function compileConfig(
  config: Config,
  previous: Evaluator | undefined,
  onProblem: (problem: Problem) => void
): CompiledConfig {
  return { config, evaluator: recompile(config, previous, { onProblem }) }
}
