import { createHistory, type History, record, redo, undo } from './history.ts'
import { type Choices, type Merge, merge3 } from './merge3.ts'
import type { StoredDraft } from './persistence.ts'
import { isSame } from './structure.ts'

/** The two forms of a resource. Both functions are pure and take incomplete drafts too. */
export interface DraftCodec<Api, Draft> {
  /** Creates the form of a version; `previous` lets rows that are still there keep their keys. */
  toDraft(version: Api, previous?: Draft): Draft
  toApi(draft: Draft): Api
}

/** A version of a resource with its revision. */
export interface Version<Api> {
  readonly base: Api
  readonly revision: string
}

/** A draft, the version that it began with, and its steps. */
export interface DraftState<Api, Draft> extends Version<Api> {
  readonly history: History<Draft>
  /** When the restored draft was kept, in epoch milliseconds; absent if nothing was restored. */
  readonly restoredAt?: number
}

/** Creates the state of a draft: of the version, or of the kept draft with the version that it began with. */
export function openDraft<Api, Draft>(
  codec: DraftCodec<Api, Draft>,
  version: Version<Api>,
  stored?: StoredDraft<Api>
): DraftState<Api, Draft> {
  const opened = { ...version, history: createHistory(codec.toDraft(version.base)) }
  if (!stored) return opened
  const { base, mine, revision, savedAt } = stored
  // The first step leads back to the version without the draft.
  const restored = { base, revision, history: record(createHistory(codec.toDraft(base)), codec.toDraft(mine)) }
  return isDraftDirty(codec, restored) ? { ...restored, restoredAt: savedAt } : opened
}

/** Returns the state with another draft. Steps of one group, such as typing into one field, are undone together. */
export function setDraft<Api, Draft>(
  state: DraftState<Api, Draft>,
  draft: Draft,
  group?: string
): DraftState<Api, Draft> {
  const history = record(state.history, draft, group)
  return history === state.history ? state : { ...state, history }
}

/** Returns the state without the last step. */
export function undoDraft<Api, Draft>(state: DraftState<Api, Draft>): DraftState<Api, Draft> {
  return { ...state, history: undo(state.history) }
}

/** Returns the state with the step that was undone last. */
export function redoDraft<Api, Draft>(state: DraftState<Api, Draft>): DraftState<Api, Draft> {
  return { ...state, history: redo(state.history) }
}

/** Returns whether saving the draft would change the version that it began with. */
export function isDraftDirty<Api, Draft>(
  { toDraft, toApi }: DraftCodec<Api, Draft>,
  { base, history }: DraftState<Api, Draft>
): boolean {
  // The version is compared in the draft's own form: what the form normalizes is not a change by the user.
  return !isSame(toApi(toDraft(base)), toApi(history.present))
}

/** Returns the state of a version without changes, after saving or discarding. Rows keep their keys. */
export function adoptVersion<Api, Draft>(
  { toDraft }: DraftCodec<Api, Draft>,
  { history }: DraftState<Api, Draft>,
  { base, revision }: Version<Api>
): DraftState<Api, Draft> {
  return { base, revision, history: createHistory(toDraft(base, history.present)) }
}

/**
 * Puts the changes of the draft onto a newer version. Returns the conflicts, and the same state, if choices are missing.
 * The steps from before cannot be undone: that would revert the changes of the newer version.
 */
export function rebaseDraft<Api, Draft>(
  codec: DraftCodec<Api, Draft>,
  state: DraftState<Api, Draft>,
  version: Version<Api>,
  choices: Choices = {}
): { readonly state: DraftState<Api, Draft>; readonly merge: Merge<Api> } {
  const { toDraft, toApi } = codec
  const draft = state.history.present
  const merge = merge3(toApi(toDraft(state.base)), toApi(toDraft(version.base)), toApi(draft), choices)
  if (merge.type === 'conflicts') return { state, merge }
  const { restoredAt } = state
  const history = createHistory(toDraft(merge.value, draft))
  return { merge, state: { ...version, history, ...(restoredAt === undefined ? {} : { restoredAt }) } }
}
