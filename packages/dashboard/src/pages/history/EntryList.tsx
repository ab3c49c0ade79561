import type { AuditLogEntry, Project } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { describeActor, type PeopleNames, personName } from '../../components/Actor.tsx'
import { Badge } from '../../components/Badge.tsx'
import { environmentNotes, lowerFirst, summarize } from '../../components/diff/changeWords.ts'
import { environmentName } from '../../components/diff/describeChange.ts'
import type { DiffContext } from '../../components/diff/model.ts'
import { formatMoment, Time } from '../../components/Time.tsx'
import styles from './History.module.css'

interface ListProps {
  readonly entries: readonly AuditLogEntry[]
  readonly names: PeopleNames
  /** Names the environments of the entries, which are left out without it. */
  readonly context?: DiffContext
  /** The entry that the address names. */
  readonly current?: string | undefined
  /** What the change is about, before its words. */
  readonly subject?: (entry: AuditLogEntry) => ReactNode
  /** The project of an entry, where a list has entries of several. */
  readonly projectOf?: (entry: AuditLogEntry) => Pick<Project, 'key' | 'name'> | undefined
  readonly actions?: (entry: AuditLogEntry) => ReactNode
  readonly children: (entry: AuditLogEntry) => ReactNode
}

/** The entries of an audit log along a line of time, the newest first. */
export function EntryList({ entries, names, context, current, subject, projectOf, actions, children }: ListProps) {
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => {
        const about = subject?.(entry)
        const project = projectOf?.(entry)
        return (
          <Entry key={entry._id} entry={entry} isCurrent={entry._id === current}>
            <div className={styles.head}>
              <div className={styles.words}>
                <h2 className={styles.title}>
                  {about ? (
                    <>
                      {about}: {lowerFirst(summarize(entry.changes))}
                    </>
                  ) : (
                    summarize(entry.changes)
                  )}
                </h2>
                {context && <Environments entry={entry} context={context} />}
              </div>
              {actions && <div className={styles.actions}>{actions(entry)}</div>}
            </div>
            <p className={styles.who}>
              <bdi>{describeActor(entry, names)}</bdi>
              {project && <Place project={project} />}
              {' · '}
              <Link to="." search={(previous: object) => ({ ...previous, entry: entry._id })} replace>
                {entry._id === current ? formatMoment(entry.date) : <Time value={entry.date} isInControl />}
              </Link>
              {entry.source && entry.source !== 'api' && ` · ${entry.source}`}
              {entry.changeRequest && (
                <Request entry={entry} request={entry.changeRequest} names={names} project={project?.key} />
              )}
            </p>
            {children(entry)}
          </Entry>
        )
      })}
    </ol>
  )
}

function Environments({ entry, context }: { readonly entry: AuditLogEntry; readonly context: DiffContext }) {
  return [...environmentNotes(entry.changes)].map(([id, note]) => (
    <Badge key={id} tone="off">
      {environmentName(id, context)}
      {note && `: ${note}`}
    </Badge>
  ))
}

/** The project in which a change was made, as a link. */
function Place({ project: { key, name } }: { readonly project: Pick<Project, 'key' | 'name'> }) {
  const { org = '' } = useParams({ strict: false })
  return (
    <>
      {' in '}
      <Link to="/o/$org/p/$project" params={{ org, project: key }}>
        <bdi>{name}</bdi>
      </Link>
    </>
  )
}

interface RequestProps {
  readonly entry: AuditLogEntry
  readonly request: NonNullable<AuditLogEntry['changeRequest']>
  readonly names: PeopleNames
  /** The key of the project. By default that of the page. */
  readonly project: string | undefined
}

/**
 * The change request that was applied, as a link. A request of the project can also change features;
 * entries of earlier versions do not name its kind, so that they have no link.
 */
function Request({ entry, request, names, project: given }: RequestProps) {
  const { org = '', project = given } = useParams({ strict: false })
  const words = requestWords(request, names)
  if (project === undefined) return ` · ${words}`
  const feature = request._feature
  const params = { org, project, request: request._id }
  if (feature === undefined && entry._feature !== undefined) return ` · ${words}`
  return (
    <>
      {' · '}
      {feature === undefined ? (
        <Link to="/o/$org/p/$project/change-requests/$request" params={params}>
          {words}
        </Link>
      ) : (
        <Link to="/o/$org/p/$project/features/$feature/change-requests/$request" params={{ ...params, feature }}>
          {words}
        </Link>
      )}
    </>
  )
}

function requestWords(request: NonNullable<AuditLogEntry['changeRequest']>, names: PeopleNames): string {
  const { reviewers, emergency, _createdBy } = request
  const author = `requested by ${personName(_createdBy, names)}`
  if (emergency !== undefined) return `${author}, applied in an emergency: ${emergency}`
  const approvers = reviewers.map((id) => personName(id, names)).join(', ')
  return approvers === '' ? author : `${author}, approved by ${approvers}`
}

interface EntryProps {
  readonly entry: AuditLogEntry
  readonly isCurrent: boolean
  readonly children: ReactNode
}

/** One entry. The one that the address names is scrolled to once. */
function Entry({ entry, isCurrent, children }: EntryProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'center' })
  }, [isCurrent])
  return (
    <li
      ref={item}
      id={entry._id}
      className={`${styles.entry} ${isCurrent ? styles.current : ''}`}
      aria-current={isCurrent || undefined}
    >
      {children}
    </li>
  )
}
