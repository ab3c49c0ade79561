import { revisionOf } from '@burgee/contract/client'
import { call, queryClient } from '../api/query.ts'
import { describeError } from '../parts/States.tsx'
import { notify } from '../parts/Toasts.ts'

/** The keys or ids that name a feature. */
export interface FeatureParams {
  readonly project: string
  readonly feature: string
}

interface Change {
  /** What was done, as in "Turned on in Development". */
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
  notify({ text, ...(hasChanged ? { onUndo: () => void revert(params, entry) } : {}) })
}

async function revert(params: FeatureParams, entry: string): Promise<void> {
  try {
    await call('revertFeature', { params: { ...params, entry } })
    notify({ text: 'Undone' })
  } catch (error) {
    notify({ text: `Could not undo: ${describeError(error)}` })
  } finally {
    await queryClient.invalidateQueries()
  }
}
