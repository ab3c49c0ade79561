import type { AuditLogEntry, Project } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useRead } from '../../api/query.ts'
import { usePeopleNames } from '../../components/Actor.tsx'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { nameIn, organizationChangeTypes } from '../../components/diff/changeWords.ts'
import { ExportButton } from '../../components/export/ExportButton.tsx'
import { DocsLink } from '../../components/links/DocsLink.tsx'
import { Page } from '../../components/Page.tsx'
import { Empty } from '../../components/States.tsx'
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
  const projectOf = ({ _project }: AuditLogEntry) => projects?.find(({ _id }) => _id === _project)
  return (
    <>
      <HistoryFilters filters={filters} types={organizationChangeTypes} canSearch />
      <LoadedEntries query={entries} title="The audit log could not be loaded" filters={filters}>
        {(items) => (
          <EntryList
            entries={items}
            names={names}
            current={search.entry}
            subject={(entry) => subjectOf(entry, projectOf(entry))}
            projectOf={projectOf}
          >
            {(entry) => (
              <EntryChanges
                entry={entry}
                project={projectOf(entry)?.key}
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

/** The subject of an entry: its feature, or the name in its contents. */
function subjectOf({ changes, _feature }: AuditLogEntry, project: Project | undefined) {
  const name = nameIn(changes)
  if (_feature !== undefined && project) return <FeatureName project={project.key} id={_feature} former={name} />
  return name !== undefined && <bdi>{name}</bdi>
}

interface FeatureNameProps {
  readonly project: string
  readonly id: string
  /** Its name in the contents of the entry, in case it is deleted. */
  readonly former: string | undefined
}

/** The name of a feature, as a link to its history. */
function FeatureName({ project, id, former }: FeatureNameProps) {
  const { org = '' } = useParams({ strict: false })
  const features = useFeatureRows(project)
  const feature = features.data?.find(({ _id }) => _id === id)
  if (!feature) return <bdi>{former ?? (features.isLoading ? '…' : 'A deleted feature')}</bdi>
  return (
    <Link to="/o/$org/p/$project/features/$feature/audit-log" params={{ org, project, feature: feature.key }}>
      <bdi>{feature.name}</bdi>
    </Link>
  )
}
