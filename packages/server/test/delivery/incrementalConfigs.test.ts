import {
  allUsers,
  attributeFilter,
  type FeaturePlan,
  fillStore,
  idOf,
  keyOf,
  makeAudience,
  makeConfigurations,
  makeFeature,
  makeProject,
  makeTargets,
  makeVariables,
  NOW,
  type Plan
} from '@burgee/testing/plan'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Configs, openConfigs } from '../../src/delivery/configs/configs.ts'
import { buildDownloadContent } from '../../src/delivery/downloads/downloadContent.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'

const environments = ['production', 'staging']
const keyTypes = ['server', 'client', 'mobile'] as const
const plan: Plan = {
  environments: { production: {}, staging: {} },
  settings: { optIn: { ...makeProject({}).settings.optIn, enabled: true } }
}
const world = { now: () => NOW, serverVersion: '0.0.0' }

const nameOf = (index: number) => `feature-${index}`
const name = fc.nat(7).map(nameOf)
const environment = fc.constantFrom(...environments)

/** Nested operators need audiences of their own in a config. */
const nested = { operator: 'or' as const, filters: [attributeFilter('customData.plan', 'pro'), allUsers] }

const feature: fc.Arbitrary<FeaturePlan> = fc.record(
  {
    key: name,
    status: fc.constantFrom('active', 'archived', 'complete'),
    visibleTo: fc.subarray([...keyTypes]),
    offIn: fc.subarray(environments),
    isOptIn: fc.boolean(),
    targets: fc.subarray([
      { filters: [nested, nested, allUsers] },
      { filters: [attributeFilter('customData.plan', 'pro')], serves: { 'variation-off': 1 } }
    ])
  },
  { requiredKeys: ['key'] }
)

type Edit = (store: Store) => Promise<unknown>

/** Creates a feature, or replaces it by another with the same key. */
async function put(store: Store, made: FeaturePlan): Promise<void> {
  await drop(store, made.key)
  await store.collection('features').insert(makeFeature(made))
  for (const variable of makeVariables(made)) await store.collection('variables').insert(variable)
  for (const one of makeConfigurations(made, plan)) await store.collection('configurations').insert(one)
}

async function drop(store: Store, key: string): Promise<void> {
  for (const where of environments) await store.collection('configurations').remove(idOf(`${key} in ${where}`))
  await store.collection('variables').remove(idOf(`variable ${key}`))
  await store.collection('features').remove(idOf(key))
}

/** Applies a change to an item if it exists. */
async function edit(
  store: Store,
  collection: 'projects' | 'features' | 'variables' | 'configurations' | 'environments',
  id: string,
  changes: object
): Promise<void> {
  if (await store.collection(collection).get({ _id: id })) await store.collection(collection).update(id, changes)
}

const change: fc.Arbitrary<Edit> = fc.oneof(
  feature.map(
    (made): Edit =>
      (store) =>
        put(store, made)
  ),
  name.map(
    (key): Edit =>
      (store) =>
        drop(store, key)
  ),
  fc.tuple(name, environment, fc.constantFrom('active', 'inactive')).map(([key, where, status]): Edit => {
    return (store) => edit(store, 'configurations', idOf(`${key} in ${where}`), { status })
  }),
  fc.tuple(feature, environment).map(([made, where]): Edit => {
    return (store) => edit(store, 'configurations', idOf(`${made.key} in ${where}`), { targets: makeTargets(made) })
  }),
  feature.map((made): Edit => {
    const { status, sdkVisibility, settings } = makeFeature(made)
    return (store) => edit(store, 'features', idOf(made.key), { status, sdkVisibility, settings })
  }),
  // Keys that change the position of an item in the sorted list.
  fc.tuple(name, fc.constantFrom('a-', 'feature-5-', 'z-', '')).map(([key, prefix]): Edit => {
    return (store) => edit(store, 'features', idOf(key), { key: `${prefix}${key}` })
  }),
  fc.tuple(name, fc.constantFrom('release', 'experiment', 'permission', 'ops')).map(([key, type]): Edit => {
    return (store) => edit(store, 'features', idOf(key), { type })
  }),
  fc.tuple(name, fc.constantFrom('a-', 'feature-5-', 'z-', '')).map(([key, prefix]): Edit => {
    return (store) => edit(store, 'variables', idOf(`variable ${key}`), { key: `${prefix}${key}` })
  }),
  fc.tuple(name, fc.constantFrom('Boolean', 'String', 'Number', 'JSON')).map(([key, type]): Edit => {
    return (store) => edit(store, 'variables', idOf(`variable ${key}`), { type })
  }),
  fc.tuple(name, fc.constantFrom('one', 'two')).map(([key, team]): Edit => {
    return (store) => edit(store, 'variables', idOf(`variable ${key}`), { metadata: { team } })
  }),
  fc.tuple(name, name).map(([key, other]): Edit => {
    return (store) => edit(store, 'variables', idOf(`variable ${key}`), { _feature: idOf(other) })
  }),
  fc.tuple(fc.boolean(), fc.boolean()).map(([enabled, disablePassthroughRollouts]): Edit => {
    const { settings } = makeProject({})
    const changed = { ...settings, optIn: { ...settings.optIn, enabled }, disablePassthroughRollouts }
    return (store) => edit(store, 'projects', idOf('shop'), { settings: changed })
  }),
  fc.tuple(name, fc.constantFrom('active', 'archived')).map(([key, status]): Edit => {
    return (store) => edit(store, 'variables', idOf(`variable ${key}`), { status })
  }),
  name.map(
    (key): Edit =>
      (store) =>
        edit(store, 'variables', idOf(`variable ${key}`), { _feature: undefined })
  ),
  fc.tuple(fc.nat(2), fc.boolean()).map(([index, isEveryone]): Edit => {
    return async (store) => {
      const filters = { operator: 'and' as const, filters: [isEveryone ? allUsers : nested] }
      const audience = makeAudience(`audience-${index}`, filters)
      await store.collection('audiences').remove(audience._id)
      await store.collection('audiences').insert(audience)
    }
  }),
  fc.tuple(environment, fc.boolean()).map(([where, ofrepOffValues]): Edit => {
    return async (store) => {
      const found = await store.collection('environments').get({ _id: idOf(where) })
      await edit(store, 'environments', idOf(where), { settings: { ...found?.settings, ofrepOffValues } })
    }
  })
)

/** Returns what the keys of all environments download, as text, and what a user is served. */
function contentsOf(configs: Configs): unknown {
  const keys = environments.flatMap((where) => keyTypes.map((type) => keyOf(type, where)))
  return keys.map((key) => {
    const current = configs.current(key)
    if (!current) return undefined
    const { evaluator } = current
    const user = { user_id: 'ada', customData: { plan: 'pro' } }
    return {
      download: JSON.stringify(buildDownloadContent(current, undefined)),
      all: evaluator.resolveAll(user, { now: NOW }),
      bucketed: evaluator.bucket(user, { now: NOW }),
      hasOptIn: current.hasOptIn
    }
  })
}

test('configs after any changes equal those of a newly started server', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async (steps) => {
      const store = await openStore('memory:')
      const errors: unknown[] = []
      const listener = { onProblem: () => {}, onError: (_: unknown, error: unknown) => void errors.push(error) }
      await fillStore(store, { ...plan, features: [0, 2, 4, 6].map((index) => ({ key: nameOf(index) })) })
      const configs = await openConfigs(store, listener, world)
      for (const edits of steps) {
        await store.transaction(async (transaction) => {
          for (const each of edits) await each(transaction)
        })
        const fresh = await openConfigs(store, listener, world)
        expect(contentsOf(configs)).toEqual(contentsOf(fresh))
        fresh.close()
      }
      expect(errors).toEqual([])
      configs.close()
      await store.close()
    })
  )
})
