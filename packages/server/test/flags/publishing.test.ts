import type { Json, Rollout, User } from '@burgee/core'
import {
  allUsers,
  attributeFilter,
  type FeaturePlan,
  fillStore,
  idOf,
  keyOf,
  makeConfigurations,
  makeEnvironments,
  makeFeature,
  makeProject,
  makeTargets,
  makeVariables,
  NOW,
  type Plan
} from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { type Configs, openConfigs } from '../../src/delivery/configs/configs.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { Store } from '../../src/storage/store.ts'
import { untilReleased } from '../support/garbage.ts'

const world = { now: () => NOW, serverVersion: '0.0.0' }

describe.each(['memory', 'file'])('publishing from a %s store', (kind) => {
  let store: Store
  let configs: Configs
  let errors: string[]

  const plan: Plan = {
    environments: { production: {}, staging: {} },
    audiences: { pro: { operator: 'and', filters: [attributeFilter('customData.plan', 'pro')] } },
    features: [
      { key: 'plain' },
      {
        key: 'for-pros',
        targets: [{ filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('pro')] }] }]
      }
    ]
  }

  beforeEach(async () => {
    store = await openStore(kind === 'memory' ? 'memory:' : `file:${await temporaryDirectory()}`)
    await fillStore(store, plan)
    errors = []
    const listener = { onProblem: () => {}, onError: (_: unknown, error: unknown) => void errors.push(String(error)) }
    configs = await openConfigs(store, listener, world)
  })

  afterEach(async () => {
    configs.close()
    await store.close()
  })

  function value(key: string, user: User = { user_id: 'ada' }, sdkKey = keyOf('server')): Json | undefined {
    return configs.current(sdkKey)?.evaluator.variable(user, key, { now: NOW })?.value
  }

  const pro: User = { user_id: 'ada', customData: { plan: 'pro' } }

  it('resolves every key of every environment and no other', () => {
    expect(configs.size()).toBe(2)
    for (const environment of ['production', 'staging']) {
      for (const type of ['server', 'client', 'mobile'] as const) {
        expect(configs.current(keyOf(type, environment))).toMatchObject({
          keyType: type,
          environment: { key: environment }
        })
      }
    }
    for (const key of ['', 'server-', keyOf('server').slice(0, -1)]) expect(configs.current(key)).toBeUndefined()
  })

  it('resolves a key by itself and by its digest', () => {
    const key = keyOf('client', 'staging')
    const current = configs.current(key)
    expect(current?.sdkKey).toBe(key)
    expect(current?.keyDigest).not.toContain(key)
    expect(configs.currentByDigest(current?.keyDigest ?? '')).toBe(current)
  })

  it('publishes a changed configuration to the next evaluation, in its environment only', async () => {
    const targets = makeTargets({ key: 'plain', targets: [{ serves: { 'variation-off': 1 } }] })
    const [here, elsewhere] = [configs.current(keyOf('server')), configs.current(keyOf('server', 'staging'))]
    await store.collection('configurations').update(idOf('plain in production'), { targets })
    expect(value('plain')).toBe(false)
    expect(value('plain', undefined, keyOf('server', 'staging'))).toBe(true)
    // Derived values such as documents are cached with it.
    expect(configs.current(keyOf('server', 'staging'))).toBe(elsewhere)
    expect(configs.current(keyOf('server'))).not.toBe(here)
  })

  it('publishes a changed audience to the next evaluation', async () => {
    expect(value('for-pros')).toBeUndefined()
    await store.collection('audiences').update(idOf('pro'), { filters: { operator: 'and', filters: [allUsers] } })
    expect(value('for-pros')).toBe(true)
  })

  it('publishes a changed feature to the next evaluation', async () => {
    const swapped = { 'variation-on': { plain: false }, 'variation-off': { plain: true } }
    const { variations } = makeFeature({ key: 'plain', variations: swapped })
    await store.collection('features').update(idOf('plain'), { variations })
    expect(value('plain')).toBe(false)
    await store.collection('features').update(idOf('plain'), { status: 'archived' })
    expect(value('plain')).toBeUndefined()
  })

  it('publishes a changed variable to the next evaluation', async () => {
    const feature: FeaturePlan = { key: 'plain', variations: { on: { plain: 'text' } } }
    await store.transaction(async (transaction) => {
      await transaction.collection('variables').update(idOf('variable plain'), { type: 'String' })
      const { variations } = makeFeature(feature)
      await transaction.collection('features').update(idOf('plain'), { variations })
      await transaction
        .collection('configurations')
        .update(idOf('plain in production'), { targets: makeTargets(feature) })
    })
    const variable = configs.current(keyOf('server'))?.evaluator.variable({ user_id: 'ada' }, 'plain')
    expect(variable).toMatchObject({ type: 'String', value: 'text' })
    await store.collection('variables').update(idOf('variable plain'), { status: 'archived' })
    expect(configs.current(keyOf('server'))?.evaluator.resolve(pro, 'plain').status).toBe('unknown')
    await store.collection('variables').update(idOf('variable plain'), { status: 'active' })
    expect(value('plain')).toBe('text')
  })

  it('publishes a changed visibility to the next evaluation', async () => {
    for (const isSeen of [false, true, false]) {
      const sdkVisibility = { server: true, client: isSeen, mobile: true }
      await store.collection('features').update(idOf('plain'), { sdkVisibility })
      expect(value('plain', undefined, keyOf('client'))).toBe(isSeen ? true : undefined)
      expect(value('plain', undefined, keyOf('mobile'))).toBe(true)
      const [server, client, mobile] = (['server', 'client', 'mobile'] as const).map((keyType) => {
        return configs.current(keyOf(keyType))?.evaluator
      })
      // Types of keys that see the same share one compiled config.
      expect([server === mobile, server === client]).toEqual([true, isSeen])
    }
  })

  it('publishes every one of repeated writes, whether or not they affect evaluations', async () => {
    const write = async (isServed: boolean, name: string) => {
      const targets = makeTargets({
        key: 'plain',
        targets: [{ serves: { [`variation-${isServed ? 'on' : 'off'}`]: 1 } }]
      })
      await store.transaction(async (transaction) => {
        await transaction.collection('configurations').update(idOf('plain in production'), { targets: [] })
        await transaction.collection('features').update(idOf('plain'), { name })
        await transaction.collection('configurations').update(idOf('plain in production'), { targets })
      })
      expect(value('plain')).toBe(isServed)
    }
    await write(false, 'a')
    await store.collection('features').update(idOf('plain'), { name: 'b' })
    await write(true, 'c')
    await store.collection('features').update(idOf('plain'), { status: 'archived' })
    expect(value('plain')).toBeUndefined()
    await store.collection('features').update(idOf('plain'), { status: 'active' })
    await store.collection('configurations').update(idOf('plain in production'), { status: 'inactive' })
    expect(value('plain')).toBeUndefined()
    await store.collection('configurations').update(idOf('plain in production'), { status: 'active' })
    await write(false, 'd')
  })

  it('supports a store that emits copies of its items', async () => {
    const copying: Store = {
      collection: (name) => store.collection(name),
      transaction: (work) => store.transaction(work),
      subscribe: (listener) => store.subscribe((change) => listener(structuredClone(change))),
      beforeCommit: (companion) => store.beforeCommit(companion),
      auditLog: () => store.auditLog(),
      purgeUserData: () => store.purgeUserData(),
      isWritable: () => store.isWritable(),
      close: () => store.close()
    }
    const copied = await openConfigs(copying, { onProblem: () => {}, onError: () => {} }, world)
    for (const isServed of [false, true]) {
      const targets = makeTargets({
        key: 'plain',
        targets: [{ serves: { [`variation-${isServed ? 'on' : 'off'}`]: 1 } }]
      })
      await store.collection('configurations').update(idOf('plain in production'), { targets })
      const { evaluator } = copied.current(keyOf('server')) ?? {}
      expect(evaluator?.variable({ user_id: 'ada' }, 'plain', { now: NOW })?.value).toBe(isServed)
    }
    copied.close()
  })

  it('removes a deleted feature and variable from the next evaluation', async () => {
    await store.collection('features').remove(idOf('plain'))
    await store.collection('variables').remove(idOf('variable plain'))
    expect(configs.current(keyOf('server'))?.evaluator.resolve(pro, 'plain')).toEqual({ status: 'unknown' })
    expect(value('for-pros', pro)).toBe(true)
  })

  it('publishes changed project settings to the next request', async () => {
    const { settings } = makeProject({ settings: { edgeDB: { enabled: true } } })
    await store.collection('projects').update(idOf('shop'), { settings })
    expect(configs.current(keyOf('client'))?.project.settings.edgeDB.enabled).toBe(true)
  })

  it('accepts new keys and refuses old ones at once', async () => {
    const key = `server-${'n'.repeat(32)}`
    const [environment] = makeEnvironments(plan)
    const sdkKeys = {
      ...environment!.sdkKeys,
      server: [{ key, createdAt: new Date(NOW).toISOString(), compromised: false }]
    }
    await store.collection('environments').update(idOf('production'), { sdkKeys })
    expect(value('plain', undefined, key)).toBe(true)
    expect(configs.current(keyOf('server'))).toBeUndefined()
    await store.collection('environments').remove(idOf('production'))
    expect(configs.current(key)).toBeUndefined()
    expect(configs.size()).toBe(1)
  })

  it('publishes all changes of a transaction together', async () => {
    const second: FeaturePlan = { key: 'second' }
    await store.transaction(async (transaction) => {
      for (const variable of makeVariables(second)) await transaction.collection('variables').insert(variable)
      await transaction.collection('features').insert(makeFeature(second))
      for (const configuration of makeConfigurations(second, plan))
        await transaction.collection('configurations').insert(configuration)
      expect(value('second')).toBeUndefined()
    })
    expect(value('second')).toBe(true)
    expect(value('second', undefined, keyOf('mobile', 'staging'))).toBe(true)
  })

  it('does not change evaluators in use', async () => {
    const before = configs.current(keyOf('server'))
    await store.collection('features').update(idOf('plain'), { status: 'archived' })
    expect(before?.evaluator.variable({ user_id: 'ada' }, 'plain')?.value).toBe(true)
  })

  it('ends with the last of many writes', async () => {
    const writes = Array.from({ length: 20 }, (_, index) => {
      const serves = { [index === 19 ? 'variation-off' : 'variation-on']: 1 }
      const targets = makeTargets({ key: 'plain', targets: [{ serves }] })
      return store.collection('configurations').update(idOf('plain in production'), { targets })
    })
    await Promise.all(writes)
    expect(value('plain')).toBe(false)
  })

  test.each<[string, Rollout]>([
    ['an invalid date', { type: 'schedule', startDate: 'someday' }],
    [
      'a stage without a date',
      {
        type: 'stepped',
        startDate: new Date(NOW).toISOString(),
        stages: [{ type: 'discrete', date: '', percentage: 1 }]
      }
    ]
  ])(
    'keeps the former rules while a configuration cannot be compiled, and continues afterwards: %s',
    async (_, rollout) => {
      const broken = makeTargets({ key: 'plain', targets: [{ rollout }] })
      await store.collection('configurations').update(idOf('plain in production'), { targets: broken })
      expect(errors.join()).toContain('rollout')
      expect(value('plain')).toBe(true)
      const mended = makeTargets({ key: 'plain', targets: [{ serves: { 'variation-off': 1 } }] })
      await store.collection('configurations').update(idOf('plain in production'), { targets: mended })
      expect(value('plain')).toBe(false)
    }
  )

  it('applies changed visibility to former keys even if the rules cannot be compiled', async () => {
    const targets = makeTargets({ key: 'plain', targets: [{ rollout: { type: 'schedule', startDate: 'someday' } }] })
    const hidden = { server: true, client: false, mobile: false }
    await store.transaction(async (transaction) => {
      await transaction.collection('features').update(idOf('for-pros'), { sdkVisibility: hidden })
      await transaction.collection('configurations').update(idOf('plain in production'), { targets })
    })
    expect(errors.length).toBeGreaterThan(0)
    expect(value('for-pros', pro, keyOf('client'))).toBeUndefined()
  })

  it('accepts the keys of an environment whose rules cannot be compiled from the start', async () => {
    const targets = makeTargets({ key: 'plain', targets: [{ rollout: { type: 'schedule', startDate: 'someday' } }] })
    await store.collection('configurations').update(idOf('plain in production'), { targets })
    const fresh = await openConfigs(store, { onProblem: () => {}, onError: () => {} }, world)
    expect(fresh.current(keyOf('server'))?.evaluator.resolve(pro, 'plain').status).toBe('unknown')
    expect(fresh.current(keyOf('server', 'staging'))?.evaluator.resolve(pro, 'plain').status).toBe('served')
    fresh.close()
  })

  it('releases the former contents of keys', async () => {
    const evaluators: WeakRef<object>[] = []
    for (const status of ['inactive', 'active', 'inactive', 'active'] as const) {
      const { evaluator } = configs.current(keyOf('server')) ?? {}
      if (evaluator) evaluators.push(new WeakRef(evaluator))
      await store.collection('configurations').update(idOf('plain in production'), { status })
    }
    expect(evaluators).toHaveLength(4)
    await untilReleased(evaluators, 1)
  })
})
