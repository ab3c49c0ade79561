import type { ChangeRequest } from '@burgee/contract/schemas'
import { Check } from 'lucide-react'
import { describeActor, type PeopleNames, personName } from '../../../components/Actor.tsx'
import { Badge } from '../../../components/Badge.tsx'
import type { DiffContext } from '../../../components/diff/model.ts'
import { Banner } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import styles from '../Requests.module.css'
import { changedSince } from './changedSince.ts'
import type { BaseComparison } from './compareWithBase.ts'

interface Props {
  readonly comparison: BaseComparison | undefined
  /** Whether the check is not finished. */
  readonly isUnchecked: boolean
  readonly request: ChangeRequest
  readonly names: PeopleNames
  readonly context: DiffContext
}

/** The id of the element that lists what was changed since the request was made. */
export const CHANGED_SINCE_ID = 'changed-since'

/** Shows whether the feature has changed since the request was made, and which of the changes conflict with it. */
export function BaseNotice({ comparison, isUnchecked, request, names, context }: Props) {
  // As high as the usual content: a button that moves while it is pressed gets no click.
  if (isUnchecked) return <p className={styles.soft}>Checking whether the feature has changed since…</p>
  if (!comparison) return null
  if (comparison.isUpToDate) {
    return (
      <p className={styles.upToDate}>
        <Check size={16} aria-hidden="true" /> Up to date: the feature has not changed since the request was made.
      </p>
    )
  }
  const author = personName(request._createdBy, names)
  const entries = comparison.since.map((entry) => ({
    entry,
    values: changedSince(entry.changes, request.changes, context)
  }))
  const hasConflict = entries.some(({ values }) => values.some(({ requested }) => requested !== undefined))
  return (
    <Banner>
      <div className={styles.since} id={CHANGED_SINCE_ID} tabIndex={-1}>
        <p>
          The feature has changed since this request was made, so it cannot be applied as it is.{' '}
          {hasConflict ? 'The changes conflict, as marked below. ' : 'The changes do not conflict: see below. '}
          <bdi>{author}</bdi> has to update it to the current state of the feature, which drops its approvals.
        </p>
        <ul className={styles.entries}>
          {entries.map(({ entry, values }) => (
            <li key={entry._id}>
              <p className={styles.soft}>
                <bdi>{describeActor(entry, names)}</bdi>, <Time value={entry.date} />
              </p>
              <ul className={styles.moved}>
                {values.map(({ id, title, change, requested, isAsRequested }) => (
                  <li key={id}>
                    <strong>{title}</strong> <bdi>{change}</bdi>{' '}
                    {isAsRequested && <Badge tone="off">as requested</Badge>}
                    {requested !== undefined && (
                      <span className={styles.conflict}>
                        <Badge tone="danger">conflict</Badge>
                        <span>
                          requested: <bdi>{requested}</bdi>
                        </span>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    </Banner>
  )
}
