import type { AudienceUsage } from '@burgee/contract/schemas'
import type { StoredConfiguration } from '../../storage/resources/feature.ts'
import type { StoredAudience, StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { audienceReferences } from './audienceReferences.ts'

/** Returns the ids of the audiences of a project that a target or another audience refers to. */
export async function listUsedAudiences(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<ReadonlySet<string>> {
  const audiences = await store.collection('audiences').list({ where: { _project: _id } })
  const used = new Set(audiences.items.flatMap(({ filters }) => audienceReferences(filters)))
  for (const { configurations } of await listConfigurationsByEnvironment(store, _id)) {
    for (const { targets } of configurations) {
      for (const { audience } of targets) for (const id of audienceReferences(audience.filters)) used.add(id)
    }
  }
  return used
}

/** Returns what refers directly to an audience, in the order of keys. */
export async function readAudienceUsage(store: Store, { _id, _project }: StoredAudience): Promise<AudienceUsage> {
  const usageByFeature = new Map<string, [string, EnvironmentUsage][]>()
  for (const { environment, configurations } of await listConfigurationsByEnvironment(store, _project)) {
    for (const { _feature, targets } of configurations) {
      const referring = targets.filter(({ audience }) => audienceReferences(audience.filters).includes(_id))
      if (referring.length === 0) continue
      const { _id: id, key, name } = environment
      const usage = { id, name, targets: referring.map((target) => target._id) }
      usageByFeature.set(_feature, [...(usageByFeature.get(_feature) ?? []), [key, usage]])
    }
  }
  const features = await store
    .collection('features')
    .list({ where: { _project }, oneOf: { _id: [...usageByFeature.keys()] }, sortBy: 'key' })
  const audiences = await store.collection('audiences').list({ where: { _project }, sortBy: 'key' })
  return {
    features: features.items.map((feature) => {
      return { ...toReference(feature), environments: Object.fromEntries(usageByFeature.get(feature._id) ?? []) }
    }),
    audiences: audiences.items.filter(({ filters }) => audienceReferences(filters).includes(_id)).map(toReference)
  }
}

/** Formats the usage of an audience for a message; empty if it has none. */
export function formatAudienceUsage({ features, audiences }: AudienceUsage): string {
  const users = [...features.map(({ key }) => `feature "${key}"`), ...audiences.map(({ key }) => `audience "${key}"`)]
  const named = users.slice(0, MAX_LISTED_USERS)
  if (users.length > MAX_LISTED_USERS) named.push(`${users.length - MAX_LISTED_USERS} more`)
  const last = named.pop() ?? ''
  return named.length > 0 ? `${named.join(', ')} and ${last}` : last
}

/** How many features and audiences a message names. */
const MAX_LISTED_USERS = 5

/** An environment in which targets of a feature refer to an audience. */
type EnvironmentUsage = AudienceUsage['features'][number]['environments'][string]

interface EnvironmentConfigurations {
  readonly environment: StoredEnvironment
  readonly configurations: readonly StoredConfiguration[]
}

/** Returns the configurations of a project by environment. */
export async function listConfigurationsByEnvironment(
  store: Store,
  _project: string
): Promise<readonly EnvironmentConfigurations[]> {
  const environments = await store.collection('environments').list({ where: { _project }, sortBy: 'createdAt' })
  const rules: EnvironmentConfigurations[] = []
  for (const environment of environments.items) {
    const where = { _environment: environment._id }
    rules.push({ environment, configurations: (await store.collection('configurations').list({ where })).items })
  }
  return rules
}

function toReference({ key, name, _id: id }: { readonly key: string; readonly name: string; readonly _id: string }) {
  return { key, name, id }
}
