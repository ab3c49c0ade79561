import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { describeActor, usePeopleNames } from '../../parts/Actor.tsx'
import { useMissingPermission } from '../../parts/access/useMissingPermission.ts'
import { lowerFirst, nameIn, summarize } from '../../parts/diff/changeWords.ts'
import { Section } from '../../parts/Page.tsx'
import { Loaded } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import styles from './Home.module.css'

/** The last changes of a project. */
export function Lately({ org, project }: { readonly org: string; readonly project: string }) {
  const cannotRead = useMissingPermission('organization:read:settings')
  const entries = useRead('listAuditEntries', { query: { project, perPage: 6 } }, { enabled: cannotRead === undefined })
  const features = useFeatureNames(project)
  const people = usePeopleNames()
  return (
    <Section isPanel title="Recent activity">
      {cannotRead === undefined ? (
        <Loaded query={entries} title="The last changes could not be loaded">
          {(list) => (
            <ul className={styles.rows}>
              {list.map((entry) => {
                const feature = features.get(entry._feature ?? '')
                const name = nameIn(entry.changes)
                return (
                  <li key={entry._id} className={styles.entry}>
                    <span className={styles.what}>
                      {feature ? (
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

/** The keys and names of active features by id. */
function useFeatureNames(project: string) {
  const active = useRead('listFeatures', { params: { project }, query: { status: 'active', perPage: 1000 } }).data ?? []
  return new Map(active.map(({ _id, key, name }) => [_id, { key, name }]))
}
