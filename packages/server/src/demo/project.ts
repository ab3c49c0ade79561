import type { Filter, Json, Operator, VariableType } from '@burgee/core'
import type { Ids } from '../id.ts'
import type {
  StoredConfiguration,
  StoredEnvironment,
  StoredFeature,
  StoredProject,
  StoredTarget,
  StoredVariable
} from '../store/resources.ts'

/** Everything the demo project consists of. */
export interface DemoProject {
  readonly project: StoredProject
  readonly environments: readonly StoredEnvironment[]
  readonly features: readonly StoredFeature[]
  readonly configurations: readonly StoredConfiguration[]
  readonly variables: readonly StoredVariable[]
}

const DAY = 86_400_000

/**
 * A small shop: a release for one country and one plan, an experiment that is being rolled out, and a JSON config.
 * The rollout is half way at `now` (epoch milliseconds).
 */
export function demoProject(now: number, ids: Ids): DemoProject {
  const at = new Date(now).toISOString()
  const stamped = () => ({ _id: ids.id(), createdAt: at, updatedAt: at })
  const project: StoredProject = {
    ...stamped(),
    key: 'demo',
    name: 'Demo shop',
    _organization: `org_${ids.id()}`,
    settings: {
      edgeDB: { enabled: true },
      optIn: { enabled: false },
      sdkTypeVisibility: { enabledInFeatureSettings: false },
      disablePassthroughRollouts: false
    }
  }
  const environments = (['development', 'staging', 'production'] as const).map((type): StoredEnvironment => {
    const keys = (keyType: 'server' | 'client' | 'mobile') => {
      return [{ key: ids.sdkKey(keyType), createdAt: at, compromised: false }]
    }
    return {
      ...stamped(),
      _project: project._id,
      key: type,
      name: type.charAt(0).toUpperCase() + type.slice(1),
      type,
      sdkKeys: { server: keys('server'), client: keys('client'), mobile: keys('mobile') },
      settings: {}
    }
  })
  const plans = featurePlans(now)
  const made = plans.map((plan) => makeFeature(plan, project, environments, { stamped, ids }))
  return {
    project,
    environments,
    features: made.map(({ feature }) => feature),
    configurations: made.flatMap(({ configurations }) => configurations),
    variables: made.flatMap(({ variables }) => variables)
  }
}

/** A feature as a person would describe it: variations by key, with a value for each variable. */
interface FeaturePlan {
  readonly key: string
  readonly name: string
  readonly type: StoredFeature['type']
  readonly variables: Readonly<Record<string, VariableType>>
  readonly variations: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly targets: readonly {
    readonly name: string
    readonly filters: Operator
    /** Variation key → share. */
    readonly serves: Readonly<Record<string, number>>
    readonly rollout?: StoredTarget['rollout']
  }[]
}

function featurePlans(now: number): readonly FeaturePlan[] {
  return [
    {
      key: 'new-checkout',
      name: 'New checkout',
      type: 'release',
      variables: { 'new-checkout': 'Boolean' },
      variations: { 'variation-on': { 'new-checkout': true }, 'variation-off': { 'new-checkout': false } },
      targets: [
        {
          name: 'Canada',
          filters: all({ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }),
          serves: { 'variation-on': 1 }
        },
        {
          name: 'Enterprise customers',
          filters: all({
            type: 'user',
            subType: 'customData',
            dataKey: 'plan',
            dataKeyType: 'String',
            comparator: '=',
            values: ['enterprise']
          }),
          serves: { 'variation-on': 1 }
        },
        { name: 'Everybody else', filters: all({ type: 'all' }), serves: { 'variation-off': 1 } }
      ]
    },
    {
      key: 'pricing-experiment',
      name: 'Pricing experiment',
      type: 'experiment',
      variables: { 'price-label': 'String', 'discount-percent': 'Number' },
      variations: {
        control: { 'price-label': 'Price', 'discount-percent': 0 },
        'ten-percent': { 'price-label': 'Your price', 'discount-percent': 10 },
        'twenty-percent': { 'price-label': 'Special offer', 'discount-percent': 20 }
      },
      targets: [
        {
          name: 'A growing share of everybody',
          filters: all({ type: 'all' }),
          serves: { control: 0.5, 'ten-percent': 0.25, 'twenty-percent': 0.25 },
          rollout: {
            type: 'gradual',
            startDate: new Date(now - 7 * DAY).toISOString(),
            startPercentage: 0,
            stages: [{ type: 'linear', date: new Date(now + 7 * DAY).toISOString(), percentage: 1 }]
          }
        }
      ]
    },
    {
      key: 'shop-layout',
      name: 'Shop layout',
      type: 'ops',
      variables: { 'shop-layout': 'JSON' },
      variations: {
        compact: { 'shop-layout': { columns: 1, banner: false, sections: ['search', 'offers'] } },
        wide: { 'shop-layout': { columns: 3, banner: true, sections: ['offers', 'categories', 'search'] } }
      },
      targets: [
        {
          name: 'Phones',
          filters: all({ type: 'user', subType: 'platform', comparator: '=', values: ['Android', 'iOS'] }),
          serves: { compact: 1 }
        },
        { name: 'Everybody else', filters: all({ type: 'all' }), serves: { wide: 1 } }
      ]
    }
  ]
}

function all(...filters: Filter[]): Operator {
  return { operator: 'and', filters }
}

interface Making {
  readonly stamped: () => { readonly _id: string; readonly createdAt: string; readonly updatedAt: string }
  readonly ids: Ids
}

function makeFeature(
  plan: FeaturePlan,
  project: StoredProject,
  environments: readonly StoredEnvironment[],
  { stamped, ids }: Making
): { feature: StoredFeature; configurations: StoredConfiguration[]; variables: StoredVariable[] } {
  const _project = project._id
  const stamp = stamped()
  const variables = Object.entries(plan.variables).map(([key, type]): StoredVariable => {
    return { ...stamped(), _project, _feature: stamp._id, key, name: key, type, status: 'active', tags: [] }
  })
  const variations = Object.entries(plan.variations).map(([key, values]) => ({
    _id: ids.id(),
    key,
    name: key,
    variables: variables.map((variable) => ({ _var: variable._id, value: values[variable.key] ?? null }))
  }))
  const idOf = new Map(variations.map(({ key, _id }) => [key, _id]))
  const targets = (): StoredTarget[] =>
    plan.targets.map(({ name, filters, serves, rollout }) => ({
      _id: ids.id(),
      name,
      audience: { filters },
      distribution: Object.entries(serves).map(([key, percentage]) => ({
        _variation: idOf.get(key) ?? key,
        percentage
      })),
      ...(rollout ? { rollout } : {})
    }))
  const feature: StoredFeature = {
    ...stamp,
    _project,
    key: plan.key,
    name: plan.name,
    type: plan.type,
    status: 'active',
    settings: { optInEnabled: false, publicName: '', publicDescription: '' },
    sdkVisibility: { server: true, client: true, mobile: true },
    variations,
    tags: ['demo']
  }
  const configurations = environments.map((environment): StoredConfiguration => {
    return {
      ...stamped(),
      _project,
      _feature: stamp._id,
      _environment: environment._id,
      status: 'active',
      targets: targets()
    }
  })
  return { feature, configurations, variables }
}
