import type { AuditLogEntry } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useFeatureRows } from '../../api/featureRows.ts'
import { useRead } from '../../api/query.ts'
import { describeActor, usePeopleNames } from '../../components/Actor.tsx'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { lowerFirst, nameIn, requestIn, summarize } from '../../components/diff/changeWords.ts'
import { ofFeatures } from '../../components/feature/useApprovals.ts'
import { Section } from '../../components/Page.tsx'
import { Loaded } from '../../components/States.tsx'
import { Time } from '../../components/Time.tsx'
import styles from './Home.module.css'

/** The last changes of a project. */
export function RecentChanges({ org, project }: { readonly org: string; readonly project: string }) {
  const cannotRead = useMissingPermission('organization:read:settings')
  const entries = useRead('listAuditEntries', { query: { project, perPage: 6 } }, { enabled: cannotRead === undefined })
  const features = useFeatureNames(project)
  const requests = useRequests(project, entries.data)
  const people = usePeopleNames()
  return (
    <Section isPanel title="Recent activity">
      {cannotRead === undefined ? (
        <Loaded query={entries} title="The last changes could not be loaded">
          {(list) => (
            <ul className={styles.rows}>
              {list.map((entry) => {
                const request = requests.get(requestIn(entry.changes) ?? '')
                const feature = features.get(entry._feature ?? request?.feature.id ?? '')
                const name = nameIn(entry.changes)
                return (
                  <li key={entry._id} className={styles.entry}>
                    <span className={styles.what}>
                      {feature && request ? (
                        <>
                          <bdi>{feature.name}</bdi>:{' '}
                          <Link
                            to="/o/$org/p/$project/features/$feature/change-requests/$request"
                            params={{ org, project, feature: feature.key, request: request._id }}
                          >
                            {lowerFirst(summarize(entry.changes))}
                          </Link>
                        </>
                      ) : feature ? (
                        <>
                          <Link
                            to="/o/$org/p/$project/features/$feature/overview"
                            params={{ org, project, feature: feature.key }}
                          >
                            <bdi>{feature.name}</bdi>
                          </Link>
                          : {lowerFirst(summarize(entry.changes))}
                        </>
                      ) : name === undefined ? (
                        summarize(entry.changes)
                      ) : (
                        <>
                          <bdi>{name}</bdi>: {lowerFirst(summarize(entry.changes))}
                        </>
                      )}
                    </span>
                    <span className={styles.who}>
                      <bdi>{describeActor(entry, people)}</bdi> · <Time value={entry.date} />
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </Loaded>
      ) : (
        <p className={styles.quiet}>The log {cannotRead}.</p>
      )}
    </Section>
  )
}

/** The change requests of features by id, which are read if an entry is about one. */
function useRequests(project: string, entries: readonly AuditLogEntry[] = []) {
  const isNeeded = entries.some(({ changes }) => requestIn(changes) !== undefined)
  const { data = [] } = useRead('listChangeRequests', { params: { project } }, { enabled: isNeeded })
  return new Map(ofFeatures(data).map((request) => [request._id, request]))
}

/** The keys and names of the features that exist by id, also of complete and archived ones. */
function useFeatureNames(project: string) {
  const features = useFeatureRows(project).data ?? []
  return new Map(features.map(({ _id, key, name }) => [_id, { key, name }]))
}
