import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { Section } from '../../parts/Page.tsx'
import { Loaded } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import { entryWords } from './entryWords.ts'
import styles from './Home.module.css'

/** The last changes of a project. */
export function Lately({ org, project }: { readonly org: string; readonly project: string }) {
  const mayRead = usePermission('organization:read:settings', project)
  const entries = useRead('listAuditEntries', { query: { project, perPage: 8 } }, { enabled: mayRead })
  const names = useNames(project)
  return (
    <Section title="Lately">
      {mayRead ? (
        <Loaded query={entries} title="The last changes could not be loaded">
          {(list) => (
            <ul className={styles.rows}>
              {list.map(({ _id, date, idp_user, _feature, changes }) => {
                const feature = names.features.get(_feature ?? '')
                return (
                  <li key={_id} className={styles.entry}>
                    <span className={styles.when}>
                      <Time value={date} />
                    </span>
                    <span className={styles.grow}>
                      <bdi>{names.people.get(idp_user) ?? idp_user}</bdi>: {entryWords(changes)}
                      {feature && (
                        <>
                          {' – '}
                          <Link to={`/o/${org}/p/${project}/features/${feature.key}/overview` as string}>
                            <bdi>{feature.name}</bdi>
                          </Link>
                        </>
                      )}
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </Loaded>
      ) : (
        <p className={styles.quiet}>The log needs the permission to read settings of the organization.</p>
      )}
    </Section>
  )
}

/** Features and people by id. */
function useNames(project: string) {
  const mayList = usePermission('organization:read:members')
  const active = useRead('listFeatures', { params: { project }, query: { status: 'active', perPage: 1000 } }).data ?? []
  const members = useRead('listMembers', { query: { perPage: 1000 } }, { enabled: mayList }).data ?? []
  return {
    features: new Map(active.map(({ _id, key, name }) => [_id, { key, name }])),
    people: new Map(members.map(({ user_id, name }) => [user_id, name]))
  }
}
