import { useRead } from '../../api/query.ts'
import { usePeopleNames } from '../../parts/Actor.tsx'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { nameIn, organizationChangeTypes } from '../../parts/diff/changeWords.ts'
import { ExportButton } from '../../parts/export/ExportButton.tsx'
import { DocsLink } from '../../parts/links/DocsLink.tsx'
import { Page } from '../../parts/Page.tsx'
import { Empty } from '../../parts/States.tsx'
import { OrganizationTabs } from '../../shell/OrganizationTabs.tsx'
import { EntryChanges } from './EntryChanges.tsx'
import { EntryList } from './EntryList.tsx'
import styles from './History.module.css'
import { HistoryFilters } from './HistoryFilters.tsx'
import { LoadedEntries } from './LoadedEntries.tsx'
import { useEntries, useHistoryFilters } from './useHistory.ts'
import { VerifyLog } from './VerifyLog.tsx'

/** All changes in the organization, whether the log is intact, and its export. */
export function AuditLogPage() {
  const cannotRead = useMissingPermission('organization:read:settings')
  const cannotExport = useMissingPermission('organization:write:settings')
  return (
    <Page
      title="Audit log"
      tabs={<OrganizationTabs />}
      actions={
        cannotRead === undefined && (
          <>
            <ExportButton operation="exportAudit" request={{}} file="audit-log.ndjson" reason={cannotExport}>
              Export the log
            </ExportButton>
            <VerifyLog />
          </>
        )
      }
    >
      {cannotRead === undefined ? (
        <>
          <p className={styles.who}>
            Every change in the organization, chained by hashes. <DocsLink page="operations/audit-log.md" />
          </p>
          <Entries />
        </>
      ) : (
        <Empty title={`The audit log ${cannotRead}.`}>
          <p>The history of each feature is open to everyone who can read the feature.</p>
        </Empty>
      )}
    </Page>
  )
}

function Entries() {
  const filters = useHistoryFilters()
  const { search, text } = filters
  const { entries } = useEntries(undefined, undefined, search, text)
  const names = usePeopleNames()
  const projects = useRead('listProjects', { query: { perPage: 1000 } }).data
  return (
    <>
      <HistoryFilters filters={filters} types={organizationChangeTypes} canSearch />
      <LoadedEntries query={entries} title="The audit log could not be loaded" filters={filters}>
        {(items) => (
          <EntryList
            entries={items}
            names={names}
            current={search.entry}
            subject={({ changes }) => {
              const name = nameIn(changes)
              return name && <bdi>{name}</bdi>
            }}
            place={({ _project }) => projects?.find(({ _id }) => _id === _project)?.name}
          >
            {(entry) => (
              <EntryChanges
                entry={entry}
                project={projects?.find(({ _id }) => _id === entry._project)?.key}
                isOpenFirst={entry._id === search.entry}
                hasFeature={entry._feature !== undefined}
              />
            )}
          </EntryList>
        )}
      </LoadedEntries>
    </>
  )
}
