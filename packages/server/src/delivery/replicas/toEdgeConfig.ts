import type { SdkKeyType } from '@burgee/contract'
import type { ReceivedEdgeConfig } from '@burgee/contract/schemas'
import type { Config } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { digestSdkKey } from '../../lib/secrets/checksum.ts'
import type { SdkKey } from '../../storage/resources/project.ts'
import { toSdkProject } from '../configs/buildConfig.ts'
import type { EnvironmentInput } from '../configs/configs.ts'

/**
 * Builds what a server without the store needs to evaluate in an environment, for all of its keys. It contains digests
 * of the keys, and no other secret.
 */
export function toEdgeConfig({ input, byType, overrides }: EnvironmentInput): ReceivedEdgeConfig {
  const { project, environment, features, variables } = input
  const [first] = byType
  return {
    lastModified: (first?.version.lastModified ?? 0) / 1000,
    project: toSdkProject(project),
    environment: {
      _id: environment._id,
      key: environment.key,
      hasSignedUsers: (environment.settings.signedUsers ?? 'off') !== 'off'
    },
    hasOptIn: first?.hasOptIn ?? false,
    keys: byType.flatMap(({ keyType }) => environment.sdkKeys[keyType].map((key) => toEdgeKey(keyType, key))),
    configs: groupByConfig(byType),
    overrides: Object.fromEntries(overrides),
    features: features.map(({ _id, variations }) => ({ _id, variations: variations.map(({ _id }) => ({ _id })) })),
    variables: variables.map(({ _id, key, _feature }) => ({ _id, key, ...omitUndefined({ _feature }) }))
  }
}

function toEdgeKey(keyType: SdkKeyType, sdkKey: SdkKey): ReceivedEdgeConfig['keys'][number] {
  const { key, createdAt, expiresAt, compromised, allowedNetworks, allowedOrigins } = sdkKey
  return {
    digest: digestSdkKey(key),
    keyType,
    createdAt,
    // Browsers get client keys in bootstrap documents; they are public.
    ...omitUndefined({ key: keyType === 'client' ? key : undefined, expiresAt, compromised }),
    ...(allowedNetworks ? { allowedNetworks: [...allowedNetworks] } : {}),
    ...(allowedOrigins ? { allowedOrigins: [...allowedOrigins] } : {})
  }
}

/** Types of keys that see the same share one config. */
function groupByConfig(byType: EnvironmentInput['byType']): ReceivedEdgeConfig['configs'] {
  const groups = new Map<Config, SdkKeyType[]>()
  for (const { keyType, config } of byType) groups.set(config, [...(groups.get(config) ?? []), keyType])
  return [...groups].map(([config, keyTypes]) => ({ keyTypes, config }))
}
