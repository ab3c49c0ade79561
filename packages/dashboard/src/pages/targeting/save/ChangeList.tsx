import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import type { WordContext } from '@burgee/contract/words'
import { useMemo } from 'react'
import { describeChanges } from './describeChanges.ts'
import styles from './Save.module.css'

interface Props {
  readonly before: UpdateFeatureConfiguration
  readonly after: UpdateFeatureConfiguration
  readonly context: WordContext
}

const SHOWN_VALUES = 30

/** What changes between two configurations, in sentences. */
export function ChangeList({ before, after, context }: Props) {
  const changes = useMemo(() => describeChanges(before, after, context), [before, after, context])
  if (changes.length === 0) return <p className={styles.quiet}>Nothing changes here.</p>
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.key} className={styles.change}>
          <h3>
            <bdi>{change.title}</bdi>
          </h3>
          {change.before && (
            <p className={styles.before}>
              {change.after && <span className={styles.side}>before</span>} <del>{change.before}</del>
            </p>
          )}
          {change.after && (
            <p className={styles.afterwards}>
              {change.before && <span className={styles.side}>after</span>} <ins>{change.after}</ins>
            </p>
          )}
          <Values sign="+" words="Added" values={change.added} />
          <Values sign="−" words="Removed" values={change.removed} />
          {change.details.map((detail) => (
            <p key={detail} className={styles.quiet}>
              {detail}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

interface ValuesProps {
  readonly sign: string
  readonly words: string
  readonly values: readonly string[]
}

function Values({ sign, words, values }: ValuesProps) {
  if (values.length === 0) return null
  const hidden = values.length - SHOWN_VALUES
  return (
    <ul className={styles.values} aria-label={`${words} values`}>
      {values.slice(0, SHOWN_VALUES).map((value) => (
        <li key={value} className={sign === '+' ? styles.plus : styles.minus}>
          <span aria-hidden="true">{sign}</span> <bdi>{value}</bdi>
        </li>
      ))}
      {hidden > 0 && <li>and {hidden.toLocaleString('en')} more</li>}
    </ul>
  )
}
