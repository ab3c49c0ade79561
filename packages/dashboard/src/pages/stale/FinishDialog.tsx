import type { FeatureListItem } from '@burgee/contract/schemas'
import { ArchiveDialog } from '../../actions/ArchiveDialog.tsx'
import { CompleteDialog } from '../../actions/CompleteDialog.tsx'
import { useRead } from '../../api/query.ts'

/** The status that a stale feature gets. */
export type Finish =
  | { readonly feature: FeatureListItem; readonly status: 'archived' }
  | { readonly feature: FeatureListItem; readonly status: 'complete'; readonly variation: string }

interface Props {
  readonly finish: Finish
  readonly project: string
  readonly onClose: () => void
}

/** Asks before a feature is completed or archived. The change is refused if the feature has changed meanwhile. */
export function FinishDialog({ finish, project, onClose }: Props) {
  const feature = useRead('getFeature', { params: { project, feature: finish.feature._id } }).data
  if (!feature) return null
  const common = { isOpen: true, onClose, project, feature }
  if (finish.status === 'archived') return <ArchiveDialog {...common} />
  return <CompleteDialog {...common} proposed={finish.variation} />
}
