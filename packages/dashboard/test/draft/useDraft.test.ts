import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createHistory, MAX_STEPS, record, redo, undo } from '../../src/draft/history.ts'
import { keepDraft, loadDraft, MAX_DRAFT_LENGTH } from '../../src/draft/persistence.ts'
import { type DraftOptions, type UsedDraft, useDraft } from '../../src/draft/useDraft.ts'
import { memory } from '../support/memoryStorage.ts'
import { container, prepareReact } from '../support/reactContainer.ts'

interface Resource {
  readonly name: string
  readonly tags: readonly string[]
}

const codec = { toDraft: (version: Resource) => version, toApi: (draft: Resource) => draft }
const address = { user: 'ada', resource: 'feature/1', environment: 'production' }
const base: Resource = { name: 'A', tags: ['a'] }
const stored = { base, mine: { ...base, name: 'B' }, revision: 'r1', savedAt: 5 }

let root: Root | undefined
let draft: UsedDraft<Resource, Resource>

type Options = DraftOptions<Resource, Resource>

async function render(options: Partial<Options>) {
  root ??= createRoot(container())
  const rendering = root
  const all: Options = { codec, base, revision: 'r1', now: () => 7, storage: memory(), ...options }
  await act(async () => rendering.render(createElement(Page, all)))
}

function Page(options: Options) {
  draft = useDraft(options)
  return null
}

beforeAll(prepareReact)

afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
})

describe('useDraft', () => {
  test('sets, undoes, redoes and discards, and is dirty in between', async () => {
    const storage = memory()
    await render({ storage, address })
    await act(async () => draft.set((current) => ({ ...current, name: 'B' })))
    expect(draft).toMatchObject({ value: { name: 'B' }, isDirty: true, canUndo: true, kept: 'kept' })
    expect(loadDraft(storage, address)).toMatchObject({ base, mine: { name: 'B' }, revision: 'r1', savedAt: 7 })
    await act(async () => draft.undo())
    expect(draft).toMatchObject({ value: base, isDirty: false, canRedo: true, kept: undefined })
    expect(storage.entries.size).toBe(0)
    await act(async () => draft.redo())
    expect(draft.value.name).toBe('B')
    await act(async () => draft.discard())
    expect(draft).toMatchObject({ value: base, isDirty: false, canUndo: false })
  })

  test('restores a draft with the version that it began with, and says since when', async () => {
    const storage = memory()
    keepDraft(storage, address, stored)
    await render({ storage, address, base: { ...base, tags: ['x'] }, revision: 'r2' })
    expect(draft).toMatchObject({ value: stored.mine, base, revision: 'r1', restoredAt: 5, isBehind: true })
    expect(loadDraft(storage, address)?.savedAt).toBe(5)
    await act(async () => draft.rebase({ base: { ...base, tags: ['x'] }, revision: 'r2' }))
    expect(draft).toMatchObject({ value: { name: 'B', tags: ['x'] }, revision: 'r2', isBehind: false, isDirty: true })
  })

  test('reports conflicts and changes nothing until each has a side', async () => {
    const storage = memory()
    await render({ storage, address })
    await act(async () => draft.set({ name: 'B', tags: ['a', 'b'] }))
    const theirs = { base: { name: 'C', tags: ['a', 'c'] }, revision: 'r2' }
    const merge = await act(async () => draft.rebase(theirs))
    if (merge.type !== 'conflicts') throw new Error('merged silently')
    expect(draft.revision).toBe('r1')
    await act(async () => draft.rebase(theirs, { [merge.conflicts[0]?.id ?? '']: 'mine' }))
    expect(draft).toMatchObject({ value: { name: 'B', tags: ['a', 'c', 'b'] }, revision: 'r2', base: theirs.base })
  })

  test('stays at the saved version while the page still has the older one', async () => {
    const storage = memory()
    await render({ storage, address })
    await act(async () => draft.set({ ...base, name: 'B' }))
    await act(async () => draft.accept({ base: { ...base, name: 'B' }, revision: 'r2' }))
    expect(draft).toMatchObject({ value: { name: 'B' }, revision: 'r2', isDirty: false, isBehind: false })
    await render({ storage, address, base: { ...base, name: 'D' }, revision: 'r3' })
    expect(draft).toMatchObject({ value: { name: 'D' }, revision: 'r3', isDirty: false })
  })

  test('stays at the saved version while the page still has the one that the draft was rebased onto', async () => {
    const storage = memory()
    await render({ storage, address })
    await act(async () => draft.set({ ...base, name: 'B' }))
    const theirs = { base: { ...base, tags: ['a', 'b'] }, revision: 'r2' }
    // Saving continues from the render in which it began.
    const { rebase, accept } = draft
    await act(async () => void rebase(theirs))
    await render({ storage, address, ...theirs })
    const saved = { base: { name: 'B', tags: ['a', 'b'] }, revision: 'r3' }
    await act(async () => accept(saved))
    expect(draft).toMatchObject({ value: saved.base, revision: 'r3', isDirty: false, isBehind: false })
    await render({ storage, address, ...saved })
    await render({ storage, address, ...theirs, revision: 'r4' })
    expect(draft).toMatchObject({ value: theirs.base, revision: 'r4', isDirty: false })
  })

  test('follows the page back to the version before, if the page had what was saved before the draft took it', async () => {
    const storage = memory()
    await render({ storage, address })
    await act(async () => draft.set({ ...base, name: 'B' }))
    const saved = { base: { ...base, name: 'B' }, revision: 'r2' }
    const { rebase } = draft
    await render({ storage, address, ...saved })
    await act(async () => void draft.rebase(saved))
    await act(async () => void rebase(saved))
    await render({ storage, address })
    expect(draft).toMatchObject({ value: base, revision: 'r1', isDirty: false, isBehind: false })
  })

  test('keeps the draft on the page where it cannot be stored', async () => {
    await render({ storage: memory(10), address })
    await act(async () => draft.set({ ...base, name: 'B' }))
    expect(draft).toMatchObject({ value: { name: 'B' }, kept: 'noRoom' })
  })
})

describe('kept drafts', () => {
  test('belong to one user and environment', () => {
    const storage = memory()
    keepDraft(storage, address, stored)
    expect(loadDraft(storage, { ...address, user: 'bob' })).toBeUndefined()
    expect(loadDraft(storage, { ...address, environment: 'staging' })).toBeUndefined()
    expect(loadDraft(storage, address)).toBeDefined()
  })

  test('are bounded, and an outdated one does not stay in place of one that is too large', () => {
    const storage = memory()
    keepDraft(storage, address, stored)
    const mine = { ...base, name: 'x'.repeat(MAX_DRAFT_LENGTH) }
    expect(keepDraft(storage, address, { ...stored, mine })).toBe('tooLarge')
    expect(loadDraft(storage, address)).toBeUndefined()
  })

  test.each(['{', '{"format":0}', 'null'])('that read %s are dropped', (text) => {
    const storage = memory()
    keepDraft(storage, address, stored)
    for (const key of storage.entries.keys()) storage.entries.set(key, text)
    expect(loadDraft(storage, address)).toBeUndefined()
    expect(storage.entries.size).toBe(0)
  })
})

describe('a history', () => {
  test('joins steps of one group, and forgets what was undone after another step', () => {
    let history = record(record(record(createHistory(''), 'a', 'name'), 'ab', 'name'), 'abc')
    history = undo(undo(history))
    expect(history.present).toBe('')
    expect(redo(redo(history)).present).toBe('abc')
    expect(redo(record(history, 'x')).present).toBe('x')
    expect(undo(createHistory(1))).toEqual(createHistory(1))
  })

  test('has a limit of steps', () => {
    let history = createHistory(0)
    for (let step = 1; step <= MAX_STEPS + 5; step += 1) history = record(history, step)
    expect(history.past).toHaveLength(MAX_STEPS)
  })
})
