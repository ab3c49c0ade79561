import type { FeatureListItem } from '@burgee/contract/schemas'
import { useWrite } from '../../api/query.ts'
import { ConfirmDialog } from '../../parts/Dialog.tsx'
import { FEATURE_READS, useUndoableNotice } from '../../parts/feature/featureActions.ts'
import { ErrorBanner } from '../../parts/States.tsx'

/** The status that a stale feature gets. */
export type Finish =
  | { readonly feature: FeatureListItem; readonly status: 'archived' }
  | { readonly feature: FeatureListItem; readonly status: 'complete'; readonly variation: string }

interface Props {
  /** What to confirm; without it the dialog is closed. */
  readonly finish: Finish | undefined
  readonly project: string
  readonly onClose: () => void
}

/** Asks before a feature is completed or archived. The change is refused if the feature has changed meanwhile. */
export function FinishDialog({ finish, project, onClose }: Props) {
  const update = useWrite('updateFeatureStatus', FEATURE_READS)
  const notice = useUndoableNotice(project)
  const { key = '', name = '', revision = '' } = finish?.feature ?? {}
  const isComplete = finish?.status === 'complete'
  const confirm = () =>
    finish &&
    update.mutate(
      {
        params: { project, feature: key },
        headers: { 'if-match': `"${revision}"` },
        body: isComplete ? { status: 'complete', staticVariation: finish.variation } : { status: 'archived' }
      },
      {
        onSuccess: (saved) => {
          onClose()
          notice(isComplete ? `${name} is complete` : `${name} is archived`, saved)
        }
      }
    )
  return (
    <ConfirmDialog
      isOpen={finish !== undefined}
      onClose={onClose}
      title={isComplete ? 'Complete the feature' : 'Archive the feature'}
      action={`${isComplete ? 'Complete' : 'Archive'} ${key}`}
      onConfirm={confirm}
      isBusy={update.isPending}
      isDangerous={!isComplete}
      typed={key}
      error={update.error && <ErrorBanner error={update.error} />}
    >
      {isComplete ? (
        <p>
          Everyone gets “{finish.variation}” wherever <bdi>{name}</bdi> is on. Its targets are removed, and are not
          restored when the feature is reactivated.
        </p>
      ) : (
        <p>
          Applications then use the default values in their code for <bdi>{name}</bdi>, in all environments. Make sure
          that no code reads it.
        </p>
      )}
    </ConfirmDialog>
  )
}
