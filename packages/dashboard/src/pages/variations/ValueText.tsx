import type { VariableType } from '@burgee/contract/schemas'
import type { VariableValue } from '../../components/values/valueText.ts'
import styles from './Variations.module.css'

interface Props {
  readonly type: VariableType
  readonly value: VariableValue | undefined
}

/** Texts longer than this are cut in the matrix; the editor shows all of them. */
const MAX_SHOWN = 300

/** A value as the matrix shows it. */
export function ValueText({ type, value }: Props) {
  if (value === undefined) return <span className={styles.quiet}>no value</span>
  if (type === 'Boolean') {
    return (
      <span className={styles.boolean}>
        <span className={value === true ? styles.filled : styles.hollow} aria-hidden="true" />
        {String(value)}
      </span>
    )
  }
  if (typeof value === 'object') {
    const count = Object.keys(value).length
    return (
      <span className={styles.json}>
        <code>{JSON.stringify(value).slice(0, MAX_SHOWN)}</code>
        <span className={styles.quiet}>{count === 1 ? '1 property' : `${count} properties`}</span>
      </span>
    )
  }
  if (value === '') return <span className={styles.quiet}>empty text</span>
  return <bdi className={type === 'Number' ? styles.number : styles.text}>{String(value).slice(0, MAX_SHOWN)}</bdi>
}
