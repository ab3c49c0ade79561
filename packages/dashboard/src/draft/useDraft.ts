import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  adoptVersion,
  type DraftCodec,
  type DraftState,
  isDraftDirty,
  openDraft,
  rebaseDraft,
  redoDraft,
  setDraft,
  undoDraft,
  type Version
} from './draftState.ts'
import type { Choices, Merge } from './merge3.ts'
import {
  type DraftAddress,
  type DraftStorage,
  dropDraft,
  type KeepResult,
  keepDraft,
  loadDraft
} from './persistence.ts'

/** The inputs of a draft. */
export interface DraftOptions<Api, Draft> extends Version<Api> {
  /** Defined outside of the component, or memoized. */
  readonly codec: DraftCodec<Api, Draft>
  /** Where the draft is kept over a reload. For another address, render the component with another `key`. */
  readonly address?: DraftAddress
  /** Default: `sessionStorage` of the browser. */
  readonly storage?: DraftStorage
  /** Default: the clock. */
  readonly now?: () => number
}

/** A draft on a page. */
export interface UsedDraft<Api, Draft> {
  readonly value: Draft
  /** Replaces the draft. Steps of one `group`, such as typing into one field, are undone together. */
  readonly set: (next: Draft | ((current: Draft) => Draft), group?: string) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Whether saving would change something. */
  readonly isDirty: boolean
  /** Whether the version of the options is not the one that the draft began with. Only a dirty draft falls behind. */
  readonly isBehind: boolean
  /** The version that the draft began with, for the diff and for `If-Match`. */
  readonly base: Api
  readonly revision: string
  /** When the restored draft was kept, for "Your draft of 12:03". */
  readonly restoredAt: number | undefined
  /** Whether the draft survives a reload; undefined without an address or without changes. */
  readonly kept: KeepResult | undefined
  /** Drops the changes and takes the version of the options. */
  readonly discard: () => void
  /** Takes the version that saving returned; the draft is clean then. */
  readonly accept: (saved: Version<Api>) => void
  /** Puts the changes onto a newer version. With conflicts nothing happens until `choices` resolves them all. */
  readonly rebase: (theirs: Version<Api>, choices?: Choices) => Merge<Api>
}

const NONE: readonly string[] = []

/** Holds the draft of a resource: changes, undo and redo, conflicts, and keeping it over a reload. */
export function useDraft<Api, Draft>(options: DraftOptions<Api, Draft>): UsedDraft<Api, Draft> {
  const { codec, base, revision, address, storage = globalThis.sessionStorage, now = Date.now } = options
  const [state, setState] = useState(() =>
    openDraft(codec, { base, revision }, address && loadDraft<Api>(storage, address))
  )
  // Callbacks read the newest state, also between two renders.
  const newest = useRef(state)
  const update = useCallback((next: DraftState<Api, Draft>) => {
    newest.current = next
    setState(next)
  }, [])
  const isDirty = useMemo(() => isDraftDirty(codec, state), [codec, state])
  // After a rebase and after saving, the options have an older version until the page has fetched the new one.
  const [outdated, setOutdated] = useState<readonly string[]>(NONE)
  const isBehind = state.revision !== revision && !outdated.includes(revision)
  const latestBase = isBehind ? base : state.base
  const latestRevision = isBehind ? revision : state.revision

  useEffect(() => {
    // The options can have the new version before it is accepted here.
    if (outdated.length > 0 && state.revision === revision) setOutdated(NONE)
  }, [state.revision, revision, outdated])

  useEffect(() => {
    if (isBehind && !isDirty) update(adoptVersion(codec, newest.current, { base, revision }))
  }, [isBehind, isDirty, codec, base, revision, update])

  const kept = useKeptDraft({ codec, state, isDirty, address, storage, now })

  return {
    value: state.history.present,
    set: useCallback(
      (next, group) => {
        const { present } = newest.current.history
        // A draft is data, never a function.
        const draft = typeof next === 'function' ? (next as (current: Draft) => Draft)(present) : next
        update(setDraft(newest.current, draft, group))
      },
      [update]
    ),
    undo: useCallback(() => update(undoDraft(newest.current)), [update]),
    redo: useCallback(() => update(redoDraft(newest.current)), [update]),
    canUndo: state.history.past.length > 0,
    canRedo: state.history.future.length > 0,
    isDirty,
    isBehind: isBehind && isDirty,
    base: state.base,
    revision: state.revision,
    restoredAt: state.restoredAt,
    kept,
    discard: useCallback(
      () => update(adoptVersion(codec, newest.current, { base: latestBase, revision: latestRevision })),
      [codec, latestBase, latestRevision, update]
    ),
    accept: useCallback(
      (saved) => {
        const before = newest.current
        setOutdated((known) => [...known, revision, before.revision])
        update(adoptVersion(codec, before, saved))
      },
      [codec, revision, update]
    ),
    rebase: useCallback(
      (theirs, choices) => {
        const before = newest.current
        const rebased = rebaseDraft(codec, before, theirs, choices)
        if (rebased.merge.type === 'merged') {
          setOutdated((known) => [...known, revision, before.revision])
          update(rebased.state)
        }
        return rebased.merge
      },
      [codec, revision, update]
    )
  }
}

interface KeptDraft<Api, Draft> {
  readonly codec: DraftCodec<Api, Draft>
  readonly state: DraftState<Api, Draft>
  readonly isDirty: boolean
  readonly address: DraftAddress | undefined
  readonly storage: DraftStorage
  readonly now: () => number
}

/** Keeps the draft after each change. Nothing is written later: not after a sign-out has cleared the storage. */
function useKeptDraft<Api, Draft>({ codec, state, isDirty, address, storage, now }: KeptDraft<Api, Draft>) {
  const [result, setResult] = useState<KeepResult>()
  const { user, resource, environment } = address ?? {}
  const place = useMemo(
    (): DraftAddress | undefined =>
      user === undefined || resource === undefined
        ? undefined
        : { user, resource, ...(environment === undefined ? {} : { environment }) },
    [user, resource, environment]
  )
  const [opened] = useState(state)
  const clock = useRef(now)
  useEffect(() => {
    clock.current = now
  }, [now])
  useEffect(() => {
    if (!place) return setResult(undefined)
    if (!isDirty) {
      dropDraft(storage, place)
      return setResult(undefined)
    }
    const { base, revision, history } = state
    const mine = codec.toApi(history.present)
    // A restored draft that was not edited keeps its time.
    const savedAt = state === opened ? (state.restoredAt ?? clock.current()) : clock.current()
    setResult(keepDraft(storage, place, { base, mine, revision, savedAt }))
  }, [codec, state, opened, isDirty, place, storage])
  return result
}
