import { createHash } from 'node:crypto'
import type { SdkKeyType } from '@burgee/contract'
import { type Evaluator, type Problem, recompile } from '@burgee/core'
import type { StoredEnvironment, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { type BuildInput, build, choosesVisibility } from './build.ts'
import { type EnvironmentOverrides, openOverrides } from './overrides.ts'
import { reachedBy } from './reach.ts'
import { openSources } from './sources.ts'

/** What an SDK key stands for at this moment. */
export interface Current {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly keyType: SdkKeyType
  readonly evaluator: Evaluator
  /** Those of the environment at every moment, newer than the rest where they have just changed. */
  readonly overrides: EnvironmentOverrides
  /** Whether any feature here can be opted in to. */
  readonly hasOptIn: boolean
}

/** The compiled config of every environment, kept in step with the store. */
export interface Configs {
  /** A look-up in memory; undefined when no environment has this key. */
  readonly current: (sdkKey: string) => Current | undefined
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

const keyTypes = ['server', 'client', 'mobile'] as const satisfies readonly SdkKeyType[]

/** Compiles every environment, then follows the store: a write that resolves has been published here. */
export async function openConfigs(store: Store, listener: ConfigsListener): Promise<Configs> {
  const byEnvironment = new Map<string, readonly Current[]>()
  let byKey: ReadonlyMap<string, Current> = new Map()
  let rebuilding = Promise.resolve()
  const overrides = await openOverrides(store)
  const sources = openSources(store)

  const rebuild = async (environments: ReadonlySet<string>): Promise<void> => {
    if (environments.size === 0) return
    for (const id of environments) {
      const found = await sources.in(id)
      if (found) byEnvironment.set(id, compileAll(found, byEnvironment.get(id), overrides.in(id), listener))
      else byEnvironment.delete(id)
    }
    byKey = new Map([...byEnvironment.values()].flat().flatMap(withKeys))
  }

  const everything = await store.collection('environments').list()
  await rebuild(new Set(everything.items.map(({ _id }) => _id)))
  const unsubscribe = store.subscribe((change) => {
    overrides.follow(change)
    sources.follow(change)
    // One after another, so that a slow rebuild cannot overwrite a newer one; one that fails does not keep others from it.
    const rebuilt = rebuilding.then(async () => rebuild(await reachedBy(change, store)))
    rebuilding = rebuilt.catch(() => {})
    return rebuilt
  })
  return { current: (sdkKey) => byKey.get(digest(sdkKey)), size: () => byEnvironment.size, close: unsubscribe }
}

function withKeys(current: Current): [string, Current][] {
  return current.environment.sdkKeys[current.keyType].map(({ key }) => [digest(key), current])
}

/** Keys are looked up by digest, so that the time of a look-up tells nothing about the keys there are. */
function digest(sdkKey: string): string {
  return createHash('sha256').update(sdkKey).digest('base64')
}

/** What each type of key of an environment stands for. */
function compileAll(
  sources: BuildInput,
  previous: readonly Current[] | undefined,
  overrides: EnvironmentOverrides,
  listener: ConfigsListener
): readonly Current[] {
  const { project, environment } = sources
  const onProblem = (problem: Problem) => listener.onProblem(environment, problem)
  const compileFor = (keyType: SdkKeyType): Evaluator => {
    const before = previous?.find((current) => current.keyType === keyType)
    try {
      // Only what is new takes time, however many features there are.
      return recompile(build(sources, keyType), before?.evaluator, { onProblem })
    } catch (error) {
      // Whatever is wrong with one environment must not keep the others from following the store.
      listener.onError(environment, error)
      // Rules from before must not show what the very change that cannot be compiled has hidden from this type of key.
      const isStillVisible = before && !choosesVisibility(before.project) && !choosesVisibility(project)
      // Keys must follow the store whatever becomes of the rules: without any, every flag is at its default.
      return isStillVisible
        ? before.evaluator
        : recompile(build({ ...sources, features: [], variables: [], audiences: [] }, keyType), undefined)
    }
  }
  // Unless features choose who sees them, every type of key sees the same config, and one evaluator serves all.
  const shared = choosesVisibility(project) ? undefined : compileFor('server')
  const hasOptIn = project.settings.optIn.enabled && sources.features.some(({ settings }) => settings.optInEnabled)
  return keyTypes.map((keyType) => {
    return { project, environment, keyType, evaluator: shared ?? compileFor(keyType), overrides, hasOptIn }
  })
}
