import type { AuditLogEntry, Feature } from '@burgee/contract/schemas'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { usePeopleNames } from '../../components/Actor.tsx'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Changes } from '../../components/diff/Changes.tsx'
import { featureChangeTypes } from '../../components/diff/changeWords.ts'
import { useDiffContext } from '../../components/diff/useDiffContext.ts'
import { Loaded } from '../../components/States.tsx'
import { EntryList } from './EntryList.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import { LoadedEntries } from './LoadedEntries.tsx'
import { RevertDialog } from './RevertDialog.tsx'
import { isRevertible } from './revertible.ts'
import { useEntries, useHistoryFilters } from './useHistory.ts'

/** The history of a feature: its changes with their authors, each with a button that reverts it. */
export function FeatureHistoryPage() {
  const { project = '', feature: reference = '' } = useParams({ strict: false })
  const feature = useRead('getFeature', { params: { project, feature: reference } })
  return (
    <Loaded query={feature} title="The feature could not be loaded">
      {(loaded) => <FeatureHistory key={loaded._id} project={project} feature={loaded} />}
    </Loaded>
  )
}

function FeatureHistory({ project, feature }: { readonly project: string; readonly feature: Feature }) {
  const filters = useHistoryFilters()
  const { search, text } = filters
  const { canSearch, entries } = useEntries(project, feature.key, search, text)
  const context = useDiffContext(project, feature)
  const names = usePeopleNames()
  const [reverted, setReverted] = useState<AuditLogEntry>()
  const newest = useNewest(project, feature.key)
  const cannotWrite = useMissingPermission('feature:write', project)
  const action = (entry: AuditLogEntry) =>
    isRevertible(entry) && (
      <Button
        kind="quiet"
        onClick={() => setReverted(entry)}
        reason={cannotWrite ?? (feature.readonly ? 'you cannot change this feature' : undefined)}
        aria-haspopup="dialog"
      >
        {entry._id === newest ? 'Undo' : 'Restore the state before this'}
      </Button>
    )
  return (
    <>
      <HistoryFilters filters={filters} project={project} types={featureChangeTypes} canSearch={canSearch} />
      <LoadedEntries query={entries} title="The history could not be loaded" filters={filters}>
        {(items) => (
          <EntryList entries={items} names={names} context={context} current={search.entry} actions={action}>
            {(entry) => <Changes changes={entry.changes} context={context} />}
          </EntryList>
        )}
      </LoadedEntries>
      {reverted && (
        <RevertDialog
          project={project}
          feature={feature}
          entry={reverted}
          names={names}
          context={context}
          onClose={() => setReverted(undefined)}
        />
      )}
    </>
  )
}

/** The id of the newest change of the feature itself. */
function useNewest(project: string, feature: string): string | undefined {
  const latest = useRead('getFeatureAudit', { params: { project, feature }, query: { perPage: 30 } })
  return latest.data?.find(isRevertible)?._id
}
