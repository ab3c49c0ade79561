import styles from './Diff.module.css'
import { lineDiff } from './lineDiff.ts'

const signs = { added: '+', removed: '−', same: ' ' } as const
const words = { added: 'added: ', removed: 'removed: ', same: '' } as const

/** Two texts line by line. Equal lines far from a difference are left out. */
export function LineDiff({
  label,
  before,
  after
}: {
  readonly label: string
  readonly before: string
  readonly after: string
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
    <div role="group" className={styles.lines} tabIndex={0} aria-label={`${label}, line by line`}>
      {lineDiff(before, after).map((line, index) =>
        line.kind === 'skipped' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and the list is replaced as a whole.
          <div key={index} className={styles.skipped}>
            {line.count} equal lines
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and the list is replaced as a whole.
          <div key={index} className={`${styles.line} ${line.kind === 'same' ? '' : styles[line.kind]}`}>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <span>
              {line.kind !== 'same' && <span className="visually-hidden">{words[line.kind]}</span>}
              {line.text}
            </span>
          </div>
        )
      )}
    </div>
  )
}
