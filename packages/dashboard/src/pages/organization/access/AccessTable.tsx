import type { AccessLogEntry } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { type PeopleNames, personName } from '../../../components/Actor.tsx'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { Code } from '../../../components/Copy.tsx'
import { Table } from '../../../components/Table.tsx'
import { Time } from '../../../components/Time.tsx'
import styles from './AccessLog.module.css'
import { ACCESS_PER_PAGE, type AccessOutcome, kindTitles, outcomeTitles } from './accessSearch.ts'

interface Props {
  readonly entries: readonly AccessLogEntry[]
  readonly names: PeopleNames
  readonly page: number
  /** Entries on all pages. */
  readonly count: number
}

const tones: Readonly<Record<AccessOutcome, Tone>> = { success: 'off', refused: 'waiting', failed: 'danger' }

/** Entries of the access log, the newest first. */
export function AccessTable({ entries, names, page, count }: Props) {
  const last = Math.ceil(count / ACCESS_PER_PAGE)
  return (
    <>
      <Table
        label="Access log"
        rows={entries}
        rowKey={({ _id }) => _id}
        columns={[
          {
            id: 'kind',
            title: 'Event',
            cell: ({ kind, operation, method }) => (
              <span className={styles.what}>
                {kindTitles[kind]}
                <span className={styles.soft}>{requestWords(method ?? operation)}</span>
              </span>
            )
          },
          {
            id: 'outcome',
            title: 'Outcome',
            cell: ({ outcome, reason, count: more }) => (
              <span className={styles.outcome}>
                <Badge tone={tones[outcome]}>{outcomeTitles[outcome]}</Badge>
                {reason && <span className={styles.soft}>{reason.replaceAll('_', ' ')}</span>}
                {more && (
                  <span className={styles.soft}>
                    {more} further {more === 1 ? 'request' : 'requests'}
                  </span>
                )}
              </span>
            )
          },
          {
            id: 'who',
            title: 'Actor',
            cell: ({ idp_user, clientId }) => <bdi className={styles.who}>{whoWords(idp_user, clientId, names)}</bdi>
          },
          { id: 'address', title: 'Address', cell: ({ address }) => (address ? <Code>{address}</Code> : '–') },
          { id: 'date', title: 'Time', cell: ({ date }) => <Time value={date} /> }
        ]}
      />
      {last > 1 && (
        <nav aria-label="Pages of the access log" className={styles.pages}>
          {page > 1 ? <Turn to={page - 1}>← Newer</Turn> : <span />}
          <span className={styles.soft}>
            Page {page} of {last}, {count.toLocaleString('en')} entries
          </span>
          {page < last ? <Turn to={page + 1}>Older →</Turn> : <span />}
        </nav>
      )}
    </>
  )
}

/** Returns the words for an authentication method or an operation id, as "list environments" for `listEnvironments`. */
function requestWords(code: string): string {
  if (isKnownMethod(code)) return methodWords[code]
  const [name = ''] = code.split(':').slice(-1)
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' ')
  return words.toLowerCase().replace(/\b(sdk|api|scim)\b/g, (word) => word.toUpperCase())
}

const methodWords = {
  totp: 'authenticator app',
  provider: 'identity provider',
  link: 'one-time link',
  mcp: 'tools of assistants'
} as const

function isKnownMethod(code: string): code is keyof typeof methodWords {
  return Object.hasOwn(methodWords, code)
}

function Turn({ to, children }: { readonly to: number; readonly children: string }) {
  return (
    <Link to="." search={(previous: object) => ({ ...previous, page: to > 1 ? to : undefined })}>
      {children}
    </Link>
  )
}

function whoWords(id: string | undefined, clientId: string | undefined, names: PeopleNames): string {
  const name = id === undefined ? undefined : personName(id, names)
  if (clientId === undefined || clientId === 'burgee-dashboard' || clientId === name) return name ?? 'unknown'
  return name === undefined ? clientId : `${name} (${clientId})`
}
