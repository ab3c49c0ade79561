import { revisionOf } from '@burgee/contract/client'
import { call, queryClient } from '../api/query.ts'
import { refetchAfterWrite, whenRefetched } from '../api/refetch.ts'
import { describeError } from '../components/States.tsx'
import { notify } from '../components/Toasts.ts'

/** The keys or ids that name a feature. */
export interface FeatureParams {
  readonly project: string
  readonly feature: string
}

interface Change {
  /** What was done, for example "Turned on in Development". */
  readonly text: string
  readonly params: FeatureParams
  /** The feature before the change. */
  readonly before: object
  /** The response to the change. */
  readonly after: object
}

/** Shows what was changed of a feature, with a button that undoes it. The revision of a feature is its last audit entry. */
export function notifyChange({ text, params, before, after }: Change): void {
  const entry = revisionOf(after)?.match(/[0-9a-f]{24}/)?.[0]
  const hasChanged = entry !== undefined && revisionOf(after) !== revisionOf(before)
  notify({ text, ...(hasChanged ? { onUndo: () => void revertChanges([{ params, entry }]) } : {}) })
}

/** A change of a feature, by its entry in the history. */
interface RevertibleChange {
  readonly params: FeatureParams
  readonly entry: string
}

/** Reverts each change, and all later ones of its feature, and shows what could not be reverted. Returns whether all were. */
export async function revertChanges(changes: readonly RevertibleChange[]): Promise<boolean> {
  const problems: string[] = []
  for (const { params, entry } of changes) {
    try {
      await call('revertFeature', { params: { ...params, entry } })
    } catch (error) {
      problems.push(changes.length > 1 ? `${params.feature}: ${describeError(error)}` : describeError(error))
    }
  }
  void refetchAfterWrite(queryClient)
  notify({ text: problems.length === 0 ? 'Undone' : `Could not undo: ${problems.join(' ')}` })
  await whenRefetched()
  return problems.length === 0
}
