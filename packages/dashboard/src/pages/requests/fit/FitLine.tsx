import type { ChangeRequest } from '@burgee/contract/schemas'
import { Check } from 'lucide-react'
import { describeActor, type PeopleNames, personName } from '../../../parts/Actor.tsx'
import { Badge } from '../../../parts/Badge.tsx'
import type { DiffContext } from '../../../parts/diff/model.ts'
import { Banner } from '../../../parts/States.tsx'
import { Time } from '../../../parts/Time.tsx'
import styles from '../Requests.module.css'
import { changedSince } from './changedSince.ts'
import type { Fit } from './staleness.ts'

interface Props {
  readonly fit: Fit | undefined
  readonly request: ChangeRequest
  readonly names: PeopleNames
  readonly context: DiffContext
}

/** The id of the element that lists what was changed since the request was made. */
export const CHANGED_SINCE_ID = 'changed-since'

/** Shows whether the feature has changed since the request was made, and which of the changes conflict with it. */
export function FitLine({ fit, request, names, context }: Props) {
  if (!fit) return null
  if (fit.fits) {
    return (
      <p className={styles.fits}>
        <Check size={16} aria-hidden="true" /> Fits the feature as it is: nothing was changed since the request was
        made.
      </p>
    )
  }
  const author = personName(request._createdBy, names)
  const entries = fit.since.map((entry) => ({
    entry,
    values: changedSince(entry.changes, request.changes, context)
  }))
  const hasConflict = entries.some(({ values }) => values.some(({ requested }) => requested !== undefined))
  return (
    <Banner>
      <div className={styles.since} id={CHANGED_SINCE_ID} tabIndex={-1}>
        <p>
          The feature has changed since this request was made, so it cannot be applied as it is.{' '}
          {hasConflict
            ? 'What was changed conflicts with it, as marked below. '
            : 'What was changed does not conflict with it: see below. '}
          <bdi>{author}</bdi> has to rebase it: that updates the request to the feature as it is now, and drops its
          approvals.
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
