import type { CurrentOverride, FeatureOverrides, Override } from '@burgee/contract/schemas'
import { findIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredOverride } from '../../storage/resources/applicationUser.ts'
import type { Store } from '../../storage/store.ts'

/** Serializes an override. */
export function toOverride({ _id, createdAt, updatedAt, ...override }: StoredOverride): Override {
  return { ...override, createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt) }
}

/** Serializes the overrides of a feature by environment, with the names of the members who made them if requested. */
export async function serializeFeatureOverrides(
  store: Store,
  overrides: readonly StoredOverride[],
  { withNames }: { readonly withNames: boolean }
): Promise<FeatureOverrides> {
  const names = withNames ? await readNames(store, overrides) : undefined
  const shown = overrides.map((override) => ({ ...toOverride(override), ...names?.get(override.idp_user) }))
  const environments = [...new Set(overrides.map(({ _environment }) => _environment))]
  return {
    overrides: Object.fromEntries(
      environments.map((id) => [id, shown.filter(({ _environment }) => _environment === id)])
    ),
    uniqueTeamMembers: new Set(overrides.map(({ idp_user }) => idp_user)).size
  }
}

/** Serializes overrides with names. Leaves out those that refer to a removed resource. */
export async function serializeCurrentOverrides(
  store: Store,
  overrides: readonly StoredOverride[]
): Promise<CurrentOverride[]> {
  return (await Promise.all(overrides.map((override) => toCurrentOverride(store, override)))).flat()
}

async function toCurrentOverride(
  store: Store,
  { _feature, _environment, _variation }: StoredOverride
): Promise<CurrentOverride[]> {
  const [feature, environment] = await Promise.all([
    store.collection('features').get({ _id: _feature }),
    store.collection('environments').get({ _id: _environment })
  ])
  const variation = feature?.variations.find(({ _id }) => _id === _variation)
  if (!feature || !environment || !variation) return []
  const [featureName, environmentName, variationName] = [feature.name, environment.name, variation.name]
  return [{ _feature, featureName, _environment, environmentName, _variation, variationName }]
}

/** Returns the names of the members who made overrides, by id. */
async function readNames(store: Store, overrides: readonly StoredOverride[]) {
  const names = new Map<string, { readonly name: string; readonly email?: string }>()
  for (const idp_user of new Set(overrides.map((override) => override.idp_user))) {
    const found = await findIdentity(store, idp_user)
    if (found) names.set(idp_user, { name: found.name, ...(found.email === undefined ? {} : { email: found.email }) })
  }
  return names
}
