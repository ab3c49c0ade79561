import { Check } from 'lucide-react'
import { describeActor, type PeopleNames } from '../../parts/Actor.tsx'
import { changeTitle } from '../../parts/diff/changeWords.ts'
import { Banner } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import styles from './Requests.module.css'
import type { Fit } from './staleness.ts'

interface Props {
  readonly fit: Fit | undefined
  readonly names: PeopleNames
  readonly author: string
}

/** Whether the feature is as it was when the request was made; else what was changed since. */
export function FitLine({ fit, names, author }: Props) {
  if (!fit) return null
  if (fit.fits) {
    return (
      <p className={styles.fits}>
        <Check size={16} aria-hidden="true" /> Fits the feature as it is: nothing was changed since the request was
        made.
      </p>
    )
  }
  return (
    <Banner>
      <div className={styles.since}>
        <p>The feature has changed since this request was made, so it cannot be applied before {author} rebases it.</p>
        <ul>
          {fit.since.map((entry) => (
            <li key={entry._id}>
              {[...new Set(entry.changes.map(({ type }) => changeTitle(type)))].join(', ')} by{' '}
              <bdi>{describeActor(entry, names)}</bdi>, <Time value={entry.date} />
            </li>
          ))}
        </ul>
      </div>
    </Banner>
  )
}
