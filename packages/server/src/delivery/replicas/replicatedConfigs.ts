import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import type { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import type { Problem } from '@burgee/core'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import type { SdkKey } from '../../storage/resources/project.ts'
import { compileConfig } from '../configs/compileConfig.ts'
import type { KeyConfigs } from '../configs/configs.ts'
import { toConfigVersion } from '../configs/configVersions.ts'
import type { KeyConfig, KeyEnvironment, KeyProject } from '../configs/keyConfig.ts'
import { compileRestrictions } from '../configs/keyRestrictions.ts'

/** The configs of a server without the store: copies, each from a source. */
export interface ReplicatedConfigs extends KeyConfigs {
  /**
   * Uses a copy from a source instead of its previous one. If several sources have the same environment, the newest
   * copy is used.
   * @throws {ConfigError} if a config is malformed; the previous copy stays in use.
   */
  readonly set: (source: string, copy: ReceivedEdgeConfig) => void
  /** Stops using the copy of a source. Its keys are unknown from now on. */
  readonly remove: (source: string) => void
  /** The configs of all keys. */
  readonly all: () => Iterable<Pick<KeyConfig, 'config' | 'evaluator'>>
  /** The environments that are ready, as metrics name them. */
  readonly environments: () => readonly Replica[]
}

/** An environment that is ready. */
interface Replica {
  readonly id: string
  /** The key of its project. */
  readonly project: string
  /** The key of the environment. */
  readonly environment: string
  /** When the version of its config was created, in seconds since 1970. */
  readonly versionAt: number
}

interface Dependencies extends Pick<KeyConfigs, 'isIncomplete'> {
  readonly onProblem: (environment: Pick<KeyEnvironment, '_id'>, problem: Problem) => void
}

/** Creates configs without copies. */
export function createReplicatedConfigs({ onProblem, isIncomplete }: Dependencies): ReplicatedConfigs {
  const bySource = new Map<string, CompiledReplica>()
  let byKey: ReadonlyMap<string, UnnamedKeyConfig> = new Map()
  /** The configs of keys that were used, since digests do not reveal the key. They stay the same objects. */
  const named = new WeakMap<UnnamedKeyConfig, KeyConfig>()
  const subscribers = new Set<(environment: string) => void>()

  const current = () => {
    const newest = new Map<string, CompiledReplica>()
    for (const replica of bySource.values()) {
      const other = newest.get(replica.id)
      if (!other || other.versionAt < replica.versionAt) newest.set(replica.id, replica)
    }
    return [...newest.values()]
  }
  const publish = (environments: ReadonlySet<string>) => {
    byKey = new Map(current().flatMap(({ byKey }) => byKey))
    for (const subscriber of [...subscribers]) for (const id of environments) subscriber(id)
  }
  return {
    set: (source, copy) => {
      const previous = bySource.get(source)
      const replica = compileReplica(copy, previous, (problem) => onProblem(copy.environment, problem))
      bySource.set(source, replica)
      publish(new Set([replica.id, ...(previous ? [previous.id] : [])]))
    },
    remove: (source) => {
      const previous = bySource.get(source)
      if (bySource.delete(source) && previous) publish(new Set([previous.id]))
    },
    all: () => byKey.values(),
    environments: current,
    current: (sdkKey) => {
      const found = byKey.get(digestSdkKey(sdkKey))
      if (!found) return undefined
      const known = named.get(found) ?? { ...found, sdkKey }
      named.set(found, known)
      return known
    },
    isIncomplete,
    version: () => byKey,
    currentByDigest: (keyDigest) => {
      const found = byKey.get(keyDigest)
      return found && { ...found, sdkKey: '' }
    },
    subscribe: (listener) => {
      const subscriber = (environment: string) => listener(environment)
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    }
  }
}

type UnnamedKeyConfig = Omit<KeyConfig, 'sdkKey'>

interface CompiledReplica extends Replica {
  readonly evaluators: ReadonlyMap<SdkKeyType, Pick<KeyConfig, 'config' | 'evaluator'>>
  readonly byKey: readonly (readonly [string, UnnamedKeyConfig])[]
}

function compileReplica(
  copy: ReceivedEdgeConfig,
  previous: CompiledReplica | undefined,
  onProblem: (problem: Problem) => void
): CompiledReplica {
  const { project, environment, lastModified, features, variables, hasOptIn } = copy
  const evaluators = new Map<SdkKeyType, Pick<KeyConfig, 'config' | 'evaluator'>>()
  for (const { keyTypes, config } of copy.configs) {
    const before = previous?.evaluators.get(keyTypes[0] ?? 'server')?.evaluator
    const compiled = compileConfig(config, before, onProblem)
    for (const keyType of keyTypes) evaluators.set(keyType, compiled)
  }
  const shared = {
    project: toKeyProject(copy),
    environment: toKeyEnvironment(copy),
    version: toConfigVersion({ _id: environment._id, lastModified }),
    overrides: new Map(Object.entries(copy.overrides)),
    features,
    variables,
    hasOptIn
  }
  const byKey = copy.keys.flatMap(({ digest, keyType, ...key }): [string, UnnamedKeyConfig][] => {
    const evaluated = evaluators.get(keyType)
    if (!evaluated) return []
    const restrictions = compileRestrictions(toSdkKey(key))
    return [[digest, { ...shared, ...evaluated, keyType, keyDigest: digest, restrictions }]]
  })
  const labels = { id: environment._id, project: project.key, environment: environment.key }
  return { ...labels, versionAt: lastModified, evaluators, byKey }
}

function toKeyProject({ project }: ReceivedEdgeConfig): KeyProject {
  const { _id, key, a0_organization, settings } = project
  return { _id, key, _organization: a0_organization, settings }
}

/** Only the server has the secrets that sign users, so without them no signature is accepted. */
function toKeyEnvironment({ environment, keys }: ReceivedEdgeConfig): KeyEnvironment {
  const { _id, key, hasSignedUsers } = environment
  const keysOf = (type: SdkKeyType) =>
    keys.flatMap(({ keyType, ...sdkKey }) => (keyType === type && sdkKey.key !== undefined ? [toSdkKey(sdkKey)] : []))
  const [mobile, client, server] = sdkKeyTypes.map(keysOf)
  return {
    _id,
    key,
    settings: { signedUsers: hasSignedUsers ? 'required' : 'off' },
    sdkKeys: { mobile: mobile ?? [], client: client ?? [], server: server ?? [] }
  }
}

function toSdkKey({ key = '', digest: _digest, ...members }: Partial<ReceivedEdgeConfig['keys'][number]>): SdkKey {
  return { createdAt: '', ...members, key } as SdkKey
}
