import type { FeatureListItem } from '@burgee/contract/schemas'
import { ArchiveDialog } from '../../actions/ArchiveDialog.tsx'
import { CompleteDialog } from '../../actions/CompleteDialog.tsx'
import { useRead } from '../../api/query.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorBanner } from '../../components/States.tsx'

/** The status that a stale feature gets. */
export type Finish =
  | { readonly feature: FeatureListItem; readonly status: 'archived' }
  | { readonly feature: FeatureListItem; readonly status: 'complete'; readonly variation: string }

interface Props {
  readonly finish: Finish
  readonly project: string
  readonly onClose: () => void
}

/** Asks before a stale feature is completed or archived. The server refuses the change if the feature changes meanwhile. */
export function FinishDialog({ finish, project, onClose }: Props) {
  const { data: feature, error, refetch } = useRead('getFeature', { params: { project, feature: finish.feature._id } })
  if (!feature) {
    return (
      <Dialog isOpen={error !== null} onClose={onClose} title={finish.feature.name}>
        <ErrorBanner error={error} title="The feature could not be read" onRetry={() => void refetch()} />
      </Dialog>
    )
  }
  const common = { isOpen: true, onClose, project, feature }
  if (finish.status === 'archived') return <ArchiveDialog {...common} />
  return <CompleteDialog {...common} proposed={finish.variation} />
}
