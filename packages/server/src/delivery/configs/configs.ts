import { setImmediate } from 'node:timers/promises'
import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import type { Problem } from '@burgee/core'
import { memoizeByIdentity } from '../../lib/object.ts'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import type { StoredConfigVersion, StoredEnvironment } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { type BuiltConfig, buildNextConfig } from './buildConfig.ts'
import { compileConfig } from './compileConfig.ts'
import { type ConfigInput, openConfigSources } from './configSources.ts'
import { type ConfigVersion, toConfigVersion, trackConfigVersions, versionsRenewedBy } from './configVersions.ts'
import type { KeyConfig } from './keyConfig.ts'
import { compileRestrictions } from './keyRestrictions.ts'
import { type EnvironmentOverrides, openOverrideIndex } from './overrideIndex.ts'
import { revealsNothingHidden } from './sdkViews.ts'

/** What evaluations of an environment depend on besides the user, at one moment. */
export interface EnvironmentInput {
  readonly input: ConfigInput
  readonly overrides: EnvironmentOverrides
  /** The config of each type of key. */
  readonly byType: readonly KeyTypeConfig[]
}

/** The configs of environments by SDK key. */
export interface KeyConfigs {
  /** Looks up an SDK key in memory. Undefined if no environment has it. */
  readonly current: (sdkKey: string) => KeyConfig | undefined
  /** Changes whenever `current` can return something else for a key. */
  readonly version: () => unknown
  /** Same as `current`, by the digest of the key. */
  readonly currentByDigest: (keyDigest: string) => KeyConfig | undefined
  /** Whether further configs are not available yet, so that a key that is not found may be valid. */
  readonly isIncomplete: () => boolean
  /**
   * Calls `listener` for each environment whose config version changes or that is deleted. Returns the function that
   * unsubscribes.
   */
  readonly subscribe: (listener: (environment: string) => void) => () => void
}

/** The compiled configs of all environments, in step with the store. */
export interface Configs extends KeyConfigs {
  /** Returns what the configs of an environment are built from. Undefined if the environment does not exist. */
  readonly environment: (id: string) => EnvironmentInput | undefined
  /** The ids of the environments that are ready. */
  readonly ids: () => readonly string[]
  /** The configs of all environments, those of production environments first. */
  readonly all: () => readonly KeyTypeConfig[]
  /** The number of environments that are ready. */
  readonly size: () => number
  readonly close: () => void
}

/** Receives errors and problems of compilation and evaluation. */
export interface ConfigsListener {
  readonly onProblem: (environment: Pick<StoredEnvironment, '_id'>, problem: Problem) => void
  /**
   * A config could not be compiled. The previous one stays in use, unless it could reveal newly hidden features; then
   * an empty one is used.
   */
  readonly onError: (environment: StoredEnvironment, error: unknown) => void
}

interface Dependencies {
  readonly now: () => number
  /** The version of the server. */
  readonly serverVersion: string
}

/** Compiles every environment and follows the store: once a write resolves, its configs are in use. */
export async function openConfigs(
  store: Store,
  listener: ConfigsListener,
  dependencies: Dependencies
): Promise<Configs> {
  const byEnvironment = new Map<string, CompiledEnvironment>()
  let byKey: ReadonlyMap<string, KeyConfig> = new Map()
  const subscribers = new Set<{ readonly listener: (environment: string) => void }>()
  const overrides = await openOverrideIndex(store)
  const stopVersionTracking = await trackConfigVersions(store, dependencies)
  const sources = await openConfigSources(store)

  const rebuild = (id: string, version: StoredConfigVersion | undefined): void => {
    const found = sources.forEnvironment(id)
    if (found && version) {
      const previous = byEnvironment.get(id)?.byType
      const byType = compileAll(found, toConfigVersion(version), previous, overrides.forEnvironment(id), listener)
      byEnvironment.set(id, { input: found, byType, byKey: byType.flatMap(withKeys) })
    } else byEnvironment.delete(id)
  }
  const indexKeys = (): void => {
    byKey = new Map([...byEnvironment.values()].flatMap((compiled) => compiled.byKey))
  }

  const stored = await store.collection('configVersions').list()
  for (const version of stored.items) rebuild(version._id, version)
  indexKeys()
  const unsubscribe = store.subscribe(async (change) => {
    const versions = versionsRenewedBy(change)
    overrides.apply(change, (id) => !versions.has(id))
    sources.apply(change)
    for (const [id, version] of versions) {
      // Lets the server handle requests after the write and between environments, of which there can be many.
      if (versions.size > 1) await setImmediate()
      overrides.apply(change, (environment) => environment === id)
      rebuild(id, version)
      indexKeys()
      for (const subscriber of [...subscribers]) subscriber.listener(id)
    }
  })
  return {
    current: (sdkKey) => byKey.get(digestSdkKey(sdkKey)),
    version: () => byKey,
    currentByDigest: (keyDigest) => byKey.get(keyDigest),
    isIncomplete: () => false,
    environment: (id) => {
      const compiled = byEnvironment.get(id)
      return compiled && { input: compiled.input, overrides: overrides.forEnvironment(id), byType: compiled.byType }
    },
    subscribe: (onChange) => {
      const subscriber = { listener: onChange }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    ids: () => [...byEnvironment.keys()],
    all: () => {
      const rank = ({ input }: CompiledEnvironment) => (input.environment.type === 'production' ? 0 : 1)
      const compiled = [...byEnvironment.values()].sort((one, other) => rank(one) - rank(other))
      return compiled.flatMap(({ byType }) => byType)
    },
    size: () => byEnvironment.size,
    close: () => {
      unsubscribe()
      stopVersionTracking()
    }
  }
}

/** The config of a type of key. */
export type KeyTypeConfig = Omit<KeyConfig, 'sdkKey' | 'keyDigest' | 'restrictions'>

/** One compiled environment. Its configs stay the same objects until its version changes. */
interface CompiledEnvironment {
  readonly input: ConfigInput
  readonly byType: readonly BuiltKeyTypeConfig[]
  /** By key digest. */
  readonly byKey: readonly (readonly [string, KeyConfig])[]
}

/** The config of a type of key, and the rows from which the next one is built. */
type BuiltKeyTypeConfig = KeyTypeConfig & Pick<BuiltConfig, 'rows'>

function withKeys({ rows: _, ...current }: BuiltKeyTypeConfig): [string, KeyConfig][] {
  return current.environment.sdkKeys[current.keyType].map((sdkKey) => {
    const keyDigest = digestSdkKey(sdkKey.key)
    return [keyDigest, { ...current, sdkKey: sdkKey.key, keyDigest, restrictions: compileRestrictions(sdkKey) }]
  })
}

/** Compiles the config of each type of key of an environment. */
function compileAll(
  sources: ConfigInput,
  version: ConfigVersion,
  previous: readonly BuiltKeyTypeConfig[] | undefined,
  overrides: EnvironmentOverrides,
  listener: ConfigsListener
): readonly BuiltKeyTypeConfig[] {
  const { project, environment, features, variables } = sources
  const onProblem = problemReporter(environment, listener)
  const compileFor = (keyType: SdkKeyType): CompiledConfig => {
    const before = previous?.find((current) => current.keyType === keyType)
    try {
      // Both build only what changed, regardless of the number of features.
      const { config, rows } = buildNextConfig(sources, keyType, before?.rows)
      return { ...compileConfig(config, before?.evaluator, onProblem), rows }
    } catch (error) {
      // An error in one environment must not stop the others from following the store.
      listener.onError(environment, error)
      // The previous rules must not reveal what the failed change hides from this type of key.
      // Keys follow the store even without rules; every flag then has its default.
      if (before && revealsNothingHidden(before.config, sources, keyType)) return before
      const empty = { ...sources, features: [], variables: [], audiences: [], views: undefined }
      const { config, rows } = buildNextConfig(empty, keyType)
      return { ...compileConfig(config, undefined, onProblem), rows }
    }
  }
  // Types of keys that see the same features and variables share one config and one evaluator.
  const compiled = new Map<SdkKeyType, CompiledConfig>()
  for (const keyType of sdkKeyTypes) {
    const twin = [...compiled.keys()].find((other) => sources.views?.isSame(keyType, other, sources))
    compiled.set(keyType, (twin && compiled.get(twin)) ?? compileFor(keyType))
  }
  const hasOptIn = project.settings.optIn.enabled && someHasOptIn(sources.features)
  return sdkKeyTypes.map((keyType) => {
    const { config, evaluator, rows } = compiled.get(keyType) ?? compileFor(keyType)
    return { project, environment, keyType, config, evaluator, rows, version, overrides, features, variables, hasOptIn }
  })
}

const someHasOptIn = memoizeByIdentity((features: ConfigInput['features']) => {
  return features.some(({ settings }) => settings.optInEnabled)
})

/** Creates the problem callback outside of the compile scope, which would keep the previous evaluator in memory. */
function problemReporter(environment: StoredEnvironment, { onProblem }: ConfigsListener): (problem: Problem) => void {
  return (problem) => onProblem(environment, problem)
}

/** A config, its evaluator, and its rows. */
type CompiledConfig = Pick<BuiltKeyTypeConfig, 'config' | 'evaluator' | 'rows'>
