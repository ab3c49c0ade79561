import type { AuditLogEntry } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { usePeopleNames } from '../../components/Actor.tsx'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { nameIn, projectChangeTypes } from '../../components/diff/changeWords.ts'
import { useDiffContext } from '../../components/diff/useDiffContext.ts'
import { Page } from '../../components/Page.tsx'
import { Empty } from '../../components/States.tsx'
import { EntryChanges } from './EntryChanges.tsx'
import { EntryList } from './EntryList.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import { LoadedEntries } from './LoadedEntries.tsx'
import { useEntries, useHistoryFilters } from './useHistory.ts'
import { VerifyLog } from './VerifyLog.tsx'

/** The history of a project: its changes with their authors. */
export function ProjectHistoryPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const cannotRead = useMissingPermission('organization:read:settings')
  return (
    <Page title="History" actions={cannotRead === undefined && <VerifyLog />}>
      {cannotRead === undefined ? (
        <ProjectHistory key={project} org={org} project={project} />
      ) : (
        <Empty title={`The history of a project ${cannotRead}.`}>
          <p>The history of each feature is open to everyone who can read the feature.</p>
        </Empty>
      )}
    </Page>
  )
}

function ProjectHistory({ org, project }: { readonly org: string; readonly project: string }) {
  const filters = useHistoryFilters()
  const { search, text } = filters
  const { canSearch, entries } = useEntries(project, undefined, search, text)
  const context = useDiffContext(project)
  const names = usePeopleNames()
  const features = useFeatureNames(project)
  const subject = ({ _feature, changes }: AuditLogEntry) => {
    const feature = features.get(_feature ?? '')
    if (!feature) {
      const name = nameIn(changes)
      return name === undefined ? undefined : <bdi>{name}</bdi>
    }
    return (
      <Link to="/o/$org/p/$project/features/$feature/audit-log" params={{ org, project, feature: feature.key }}>
        <bdi>{feature.name}</bdi>
      </Link>
    )
  }
  return (
    <>
      <HistoryFilters filters={filters} project={project} types={projectChangeTypes} canSearch={canSearch} />
      <LoadedEntries query={entries} title="The history could not be loaded" filters={filters}>
        {(items) => (
          <EntryList entries={items} names={names} context={context} current={search.entry} subject={subject}>
            {(entry) => (
              <EntryChanges
                entry={entry}
                project={project}
                isOpenFirst={entry._id === search.entry}
                hasFeature={features.has(entry._feature ?? '')}
              />
            )}
          </EntryList>
        )}
      </LoadedEntries>
    </>
  )
}

/** The names and keys of the features that exist, by id. */
function useFeatureNames(project: string) {
  const features = useRead('listFeatures', { params: { project }, query: { perPage: 1000 } }).data
  return useMemo(() => new Map(features?.map(({ _id, key, name }) => [_id, { key, name }])), [features])
}
