import { createHash } from 'node:crypto'
import type { SdkKeyType } from '@burgee/contract'
import type { ProjectSettings } from '@burgee/contract/schemas'
import type { Filter, Json, Operator, Rollout, VariableType } from '@burgee/core'
import { defaultSettings } from '../../server/src/flags/projects/defaultSettings.ts'
import type { StoredEdgeUser } from '../../server/src/storage/resources/applicationUser.ts'
import type { StoredConfiguration, StoredFeature, StoredVariable } from '../../server/src/storage/resources/feature.ts'
import type { StoredAudience, StoredEnvironment, StoredProject } from '../../server/src/storage/resources/project.ts'
import type { Store } from '../../server/src/storage/store.ts'

export { attributeFilter } from '@burgee/core/testing'

/** The default time of tests. */
export const NOW = Date.parse('2026-03-01T12:00:00.000Z')
export const DAY = 86_400_000

/** The fixtures of a project: everything by key, everything optional. */
export interface Plan {
  readonly settings?: Partial<ProjectSettings>
  /** Environment key → its settings. Features have the same configuration in each. */
  readonly environments?: Readonly<Record<string, StoredEnvironment['settings']>>
  readonly features?: readonly FeaturePlan[]
  /** Audience key → its filters. */
  readonly audiences?: Readonly<Record<string, Operator>>
  /** User id → attributes that a server stored. */
  readonly edgeUsers?: Readonly<Record<string, Pick<StoredEdgeUser, 'country' | 'customData'>>>
}

/** A feature: by default a Boolean variable of its own key, which is `true` for all users. */
export interface FeaturePlan {
  readonly key: string
  readonly type?: StoredFeature['type']
  readonly status?: StoredFeature['status']
  readonly staticVariation?: string
  /** The environments in which it is inactive. */
  readonly offIn?: readonly string[]
  readonly isOptIn?: boolean
  readonly visibleTo?: readonly SdkKeyType[]
  readonly variables?: Readonly<Record<string, VariableType>>
  /** Variation key → variable key → value. */
  readonly variations?: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly targets?: readonly TargetPlan[]
}

/** A targeting rule; by default it serves the first variation to all users. */
export interface TargetPlan {
  readonly name?: string
  readonly filters?: readonly (Filter | Operator)[]
  /** Variation key → share. */
  readonly serves?: Readonly<Record<string, number>>
  readonly rollout?: Rollout
  readonly bucketingKey?: string
}

/** Returns the id of the resource with this name in tests. */
export function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 24)
}

/** Returns the SDK key of this type of an environment. */
export function keyOf(type: SdkKeyType, environment = 'production'): string {
  return `${type}-${createHash('sha256').update(`${type} ${environment}`).digest('base64url').slice(0, 32)}`
}

export const allUsers: Filter = { type: 'all' }

/** Writes the resources of a plan into a store, as project `shop`. Ids are derived from keys with `idOf`. */
export async function fillStore(store: Store, plan: Plan): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.collection('projects').insert(makeProject(plan))
    for (const environment of makeEnvironments(plan)) await transaction.collection('environments').insert(environment)
    for (const [index, feature] of (plan.features ?? []).entries()) {
      for (const variable of makeVariables(feature)) await transaction.collection('variables').insert(variable)
      // Features are sorted by their creation time.
      const createdAt = new Date(Date.parse(at) + index).toISOString()
      await transaction.collection('features').insert({ ...makeFeature(feature), createdAt })
      for (const configuration of makeConfigurations(feature, plan)) {
        await transaction.collection('configurations').insert(configuration)
      }
    }
    for (const [key, filters] of Object.entries(plan.audiences ?? {})) {
      await transaction.collection('audiences').insert(makeAudience(key, filters))
    }
  })
  for (const [user_id, attributes] of Object.entries(plan.edgeUsers ?? {})) {
    const user = { ...recordFields(`user ${user_id}`), seenAt: at, _project, user_id, fromServers: attributes }
    await store.collection('edgeUsers').insert(user)
  }
}

const at = new Date(NOW - 30 * DAY).toISOString()
const _project = idOf('shop')

function recordFields(name: string): { _id: string; createdAt: string; updatedAt: string } {
  return { _id: idOf(name), createdAt: at, updatedAt: at }
}

export function makeProject({ settings }: Plan): StoredProject {
  return {
    ...recordFields('shop'),
    key: 'shop',
    name: 'Shop',
    _organization: 'org_test',
    settings: {
      ...defaultSettings,
      ...settings
    }
  }
}

export function makeEnvironments({ environments = { production: {} } }: Plan): StoredEnvironment[] {
  return Object.entries(environments).map(([key, settings]) => {
    const sdkKey = (type: SdkKeyType) => [{ key: keyOf(type, key), createdAt: at, compromised: false }]
    const sdkKeys = { server: sdkKey('server'), client: sdkKey('client'), mobile: sdkKey('mobile') }
    return { ...recordFields(key), _project, key, name: key, type: 'production', sdkKeys, settings }
  })
}

export function makeVariables({ key: feature, variables = { [feature]: 'Boolean' } }: FeaturePlan): StoredVariable[] {
  return Object.entries(variables).map(([key, type]) => {
    const fields = recordFields(`variable ${key}`)
    return {
      ...fields,
      _project,
      _feature: idOf(feature),
      source: 'api',
      key,
      name: key,
      type,
      status: 'active',
      tags: []
    }
  })
}

export function makeFeature(plan: FeaturePlan): StoredFeature {
  const { key, type = 'release', status = 'active', visibleTo = ['server', 'client', 'mobile'] } = plan
  return {
    ...recordFields(key),
    _project,
    key,
    name: `The ${key}`,
    type,
    status,
    ...(plan.staticVariation ? { staticVariation: plan.staticVariation } : {}),
    settings: { optInEnabled: plan.isOptIn ?? false, publicName: `Try ${key}`, publicDescription: '' },
    sdkVisibility: {
      server: visibleTo.includes('server'),
      client: visibleTo.includes('client'),
      mobile: visibleTo.includes('mobile')
    },
    variations: Object.entries(variationsOf(plan)).map(([variation, values]) => ({
      _id: idOf(`${key} ${variation}`),
      key: variation,
      name: variation,
      variables: Object.entries(values).map(([variable, value]) => ({ _var: idOf(`variable ${variable}`), value }))
    })),
    tags: [],
    source: 'api',
    controlVariation: Object.keys(variationsOf(plan))[0] ?? '',
    summary: { maintainers: [], links: [], markdown: '' }
  }
}

export function makeConfigurations(
  plan: FeaturePlan,
  { environments = { production: {} } }: Plan
): StoredConfiguration[] {
  return Object.keys(environments).map((environment) => ({
    ...recordFields(`${plan.key} in ${environment}`),
    _project,
    _feature: idOf(plan.key),
    _environment: idOf(environment),
    status: plan.offIn?.includes(environment) ? 'inactive' : 'active',
    targets: makeTargets(plan)
  }))
}

export function makeTargets(plan: FeaturePlan): StoredConfiguration['targets'] {
  const [first = ''] = Object.keys(variationsOf(plan))
  return targetsOf(plan).map(
    ({ name, filters = [allUsers], serves = { [first]: 1 }, rollout, bucketingKey }, index) => ({
      _id: idOf(`${plan.key} target ${index}`),
      ...(name ? { name } : {}),
      audience: { filters: { operator: 'and', filters } },
      distribution: Object.entries(serves).map(([variation, percentage]) => {
        return { _variation: idOf(`${plan.key} ${variation}`), percentage }
      }),
      ...(rollout ? { rollout } : {}),
      ...(bucketingKey ? { bucketingKey } : {})
    })
  )
}

/** Returns the targets. A complete feature has one, which serves its static variation to all users. */
function targetsOf({ status, staticVariation = '', targets = [{}] }: FeaturePlan): readonly TargetPlan[] {
  return status === 'complete' ? [{ serves: { [staticVariation]: 1 } }] : targets
}

export function makeAudience(key: string, filters: Operator): StoredAudience {
  return { ...recordFields(key), _project, source: 'api', key, name: key, filters, tags: [] }
}

function variationsOf({ key, variations }: FeaturePlan): Readonly<Record<string, Readonly<Record<string, Json>>>> {
  return variations ?? { 'variation-on': { [key]: true }, 'variation-off': { [key]: false } }
}
