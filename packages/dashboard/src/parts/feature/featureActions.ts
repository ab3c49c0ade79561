import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { type OperationId, useWrite } from '../../api/query.ts'
import { describeError } from '../States.tsx'
import { notify } from '../Toasts.ts'

/** The reads that show features. */
export const FEATURE_READS: readonly OperationId[] = ['listFeatureSummaries', 'getFeature', 'listFeatureConfigurations']

/** Returns a function that shows a notice about an action on a feature, and offers to undo it. */
export function useUndoableNotice(project: string): (text: string, saved: Feature) => void {
  const revert = useWrite('revertFeature', FEATURE_READS)
  return (text, saved) => {
    const entry = revisionOf(saved)?.replaceAll(/^W\/|"/g, '')
    if (entry === undefined) return notify({ text })
    notify({
      text,
      // The promise settles even if the page that showed the feature is gone by then.
      onUndo: () =>
        void revert.mutateAsync({ params: { project, feature: saved.key, entry } }).then(
          () => notify({ text: `Undone: ${saved.name}` }),
          (error: Error) => notify({ text: `Could not undo: ${describeError(error)}` })
        )
    })
  }
}
