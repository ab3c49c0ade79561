import { createHash } from 'node:crypto'
import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import { type Config, type Evaluator, type Problem, recompile } from '@burgee/core'
import type { StoredEnvironment, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { type BuildInput, build, choosesVisibility } from './build.ts'
import { type EnvironmentOverrides, openOverrides } from './overrides.ts'
import { openSources } from './sources.ts'
import { type ConfigVersion, followVersions, renewedBy, toVersion } from './versions.ts'

/** What an SDK key stands for at this moment. */
export interface Current {
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
  readonly features: BuildInput['features']
  readonly variables: BuildInput['variables']
  /** Whether any feature here can be opted in to. */
  readonly hasOptIn: boolean
}

/** The compiled config of every environment, kept in step with the store. */
export interface Configs {
  /** A look-up in memory; undefined when no environment has this key. */
  readonly current: (sdkKey: string) => Current | undefined
  /** The same, by the digest of the key. */
  readonly byDigest: (keyDigest: string) => Current | undefined
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

interface World {
  readonly now: () => number
  /** The version of this program. */
  readonly software: string
}

/** Compiles every environment, then follows the store: a write that resolves has been published here. */
export async function openConfigs(store: Store, listener: ConfigsListener, world: World): Promise<Configs> {
  const byEnvironment = new Map<string, Compiled>()
  let byKey: ReadonlyMap<string, Current> = new Map()
  let rebuilding = Promise.resolve()
  const subscribers = new Set<{ readonly listener: (environment: string) => void }>()
  const overrides = await openOverrides(store)
  const sources = openSources(store)

  const endVersions = await followVersions(store, world)

  const rebuild = async (environments: ReadonlySet<string>): Promise<void> => {
    if (environments.size === 0) return
    for (const id of environments) {
      const found = await sources.in(id)
      const version = await store.collection('configVersions').get({ _id: id })
      if (found && version) {
        const previous = byEnvironment.get(id)
        const byType = compileAll(found, toVersion(version), previous?.byType, overrides.in(id), listener)
        byEnvironment.set(id, { byType, byKey: byType.flatMap(withKeys) })
      } else byEnvironment.delete(id)
    }
    byKey = new Map([...byEnvironment.values()].flatMap((compiled) => compiled.byKey))
    for (const { listener: tell } of [...subscribers]) for (const id of environments) tell(id)
  }

  const everything = await store.collection('environments').list()
  await rebuild(new Set(everything.items.map(({ _id }) => _id)))
  const unsubscribe = store.subscribe((change) => {
    overrides.follow(change)
    sources.follow(change)
    // One after another, so that a slow rebuild cannot overwrite a newer one; one that fails does not keep others from it.
    const rebuilt = rebuilding.then(async () => rebuild(renewedBy(change)))
    rebuilding = rebuilt.catch(() => {})
    return rebuilt
  })
  return {
    current: (sdkKey) => byKey.get(digestOf(sdkKey)),
    byDigest: (keyDigest) => byKey.get(keyDigest),
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
type OfType = Omit<Current, 'sdkKey' | 'keyDigest'>

/** One environment. What its keys stand for is the same as long as its version is in force, whatever becomes of others. */
interface Compiled {
  readonly byType: readonly OfType[]
  /** By digest. */
  readonly byKey: readonly (readonly [string, Current])[]
}

function withKeys(current: OfType): [string, Current][] {
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
  sources: BuildInput,
  version: ConfigVersion,
  previous: readonly OfType[] | undefined,
  overrides: EnvironmentOverrides,
  listener: ConfigsListener
): readonly OfType[] {
  const { project, environment, features, variables } = sources
  const onProblem = reporterOf(environment, listener)
  const compileFor = (keyType: SdkKeyType): Prepared => {
    const before = previous?.find((current) => current.keyType === keyType)
    try {
      // Only what is new takes time, however many features there are.
      return prepared(build(sources, keyType), before?.evaluator, onProblem)
    } catch (error) {
      // Whatever is wrong with one environment must not keep the others from following the store.
      listener.onError(environment, error)
      // Rules from before must not show what the very change that cannot be compiled has hidden from this type of key.
      const isStillVisible = before && !choosesVisibility(before.project) && !choosesVisibility(project)
      // Keys must follow the store whatever becomes of the rules: without any, every flag is at its default.
      return isStillVisible
        ? before
        : prepared(build({ ...sources, features: [], variables: [], audiences: [] }, keyType), undefined, onProblem)
    }
  }
  // Unless features choose who sees them, every type of key sees the same config, and one evaluator serves all.
  const shared = choosesVisibility(project) ? undefined : compileFor('server')
  const hasOptIn = project.settings.optIn.enabled && sources.features.some(({ settings }) => settings.optInEnabled)
  return sdkKeyTypes.map((keyType) => {
    const { config, evaluator } = shared ?? compileFor(keyType)
    return { project, environment, keyType, config, evaluator, version, overrides, features, variables, hasOptIn }
  })
}

/** Reports the problems of evaluators. Made where there is nothing else to keep: an evaluator must not hold on to the one before it. */
function reporterOf(environment: StoredEnvironment, { onProblem }: ConfigsListener): (problem: Problem) => void {
  return (problem) => onProblem(environment, problem)
}

/** A config, and what evaluates by it. */
type Prepared = Pick<Current, 'config' | 'evaluator'>

function prepared(config: Config, previous: Evaluator | undefined, onProblem: (problem: Problem) => void): Prepared {
  return { config, evaluator: recompile(config, previous, { onProblem }) }
}
