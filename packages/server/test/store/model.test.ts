import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { runs } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { StoredProject } from '../../src/storage/resources/project.ts'
import { DuplicateError, type Store } from '../../src/storage/store.ts'
import { testProject } from './conformance/fixtures.ts'

type Model = Map<string, StoredProject>
type Action =
  | { readonly type: 'insert' | 'update'; readonly _id: string; readonly key: string; readonly name: string }
  | { readonly type: 'remove'; readonly _id: string }
type Step =
  | Action
  | { readonly type: 'transaction'; readonly actions: readonly Action[]; readonly fails: boolean }
  | { readonly type: 'reopen' }

// Few names, so that they collide; some are inherited members of objects.
const _id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const key = fc.constantFrom('one', 'two', 'three', '__proto__', 'constructor')
const write = fc.record({ type: fc.constantFrom('insert', 'update'), _id, key, name: fc.string() })
const action: fc.Arbitrary<Action> = fc.oneof(write, fc.record({ type: fc.constant('remove'), _id }))
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: action },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('transaction'), actions: fc.array(action), fails: fc.boolean() })
  },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' } as const) }
)

test.each([
  ['memory:', runs({ quick: 20, full: 100 }), async () => 'memory:'],
  ['file:', runs({ quick: 5, full: 40 }), async () => `file:${await temporaryDirectory()}`],
  ['postgres:', runs({ quick: 1, full: 20 }), temporaryDatabase]
])('a %s store behaves like a Map, %i times', async (_, numRuns, locate) => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
    const url = await locate()
    const run = { store: await openStore(url), model: new Map() as Model }
    try {
      for (const one of steps) await take(one, run, url)
    } finally {
      await run.store.close()
    }
  })
  await fc.assert(property, { numRuns })
})

async function take(step: Step, run: { store: Store; model: Model }, url: string): Promise<void> {
  if (step.type === 'reopen') {
    await run.store.close()
    run.store = await openStore(url)
    if (url === 'memory:') run.model.clear()
  } else if (step.type === 'transaction') {
    const draft = new Map(run.model)
    const transaction = run.store.transaction(async (inside) => {
      for (const action of step.actions) await agree(action, inside, draft)
      if (step.fails) throw new Error('on purpose')
    })
    if (step.fails) await expect(transaction).rejects.toThrow('on purpose')
    else {
      await transaction
      run.model = draft
    }
  } else await agree(step, run.store, run.model)
  const items = [...run.model.values()].sort((one, other) => (one._id < other._id ? -1 : 1))
  expect(await run.store.collection('projects').list()).toEqual({ items, count: items.length })
  for (const item of items) expect(await run.store.collection('projects').get({ key: item.key })).toEqual(item)
}

/** Performs the same operation on the store and the model, and expects equal results. */
async function agree(action: Action, store: Store, model: Model): Promise<void> {
  const projects = store.collection('projects')
  const before = model.get(action._id)
  if (action.type === 'remove') {
    model.delete(action._id)
    expect(await projects.remove(action._id)).toEqual(before)
    return
  }
  const { type, _id, key, name } = action
  const isTaken = [...model.values()].some((item) => item.key === key && item._id !== _id)
  const after = type === 'insert' ? testProject({ _id, key, name }) : before && { ...before, key, name }
  const answer =
    type === 'insert' ? projects.insert(testProject({ _id, key, name })) : projects.update(_id, { key, name })
  if (after && (isTaken || (type === 'insert' && before))) await expect(answer).rejects.toThrow(DuplicateError)
  else {
    expect(await answer).toEqual(after)
    if (after) model.set(_id, after)
  }
}
