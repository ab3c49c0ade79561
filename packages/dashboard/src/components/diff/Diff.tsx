import { Badge, type Tone } from '../Badge.tsx'
import styles from './Diff.module.css'
import { LineDiff } from './LineDiff.tsx'
import type { DiffGroup, DiffMark, DiffRow } from './model.ts'

const marks: Readonly<Record<DiffMark, { readonly sign: string; readonly tone: Tone }>> = {
  added: { sign: '+', tone: 'live' },
  removed: { sign: '−', tone: 'danger' },
  moved: { sign: '↕', tone: 'partly' },
  changed: { sign: '~', tone: 'off' }
}

/** Differences by what they belong to. */
export function Diff({ groups }: { readonly groups: readonly DiffGroup[] }) {
  return (
    <ul className={styles.groups}>
      {groups.map((group) => (
        <li key={group.id} className={styles.group}>
          <Group {...group} />
        </li>
      ))}
    </ul>
  )
}

function Group({ title, mark, note, rows }: DiffGroup) {
  const { sign, tone } = marks[mark]
  return (
    <>
      <div className={styles.head}>
        <Badge tone={tone}>
          <span aria-hidden="true">{sign}</span> {mark}
        </Badge>
        <bdi className={styles.title}>{title}</bdi>
      </div>
      {note && <p className={`${styles.note} ${mark === 'removed' ? styles.removedNote : ''}`}>{note}</p>}
      {rows.length > 0 && <DiffRows rows={rows} />}
    </>
  )
}

/** Members that differ, each with its value before and after. */
export function DiffRows({ rows }: { readonly rows: readonly DiffRow[] }) {
  return (
    <dl className={styles.rows}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can have the same label.
        <div key={index} className={styles.row}>
          <dt className={styles.label}>{row.label}</dt>
          <Difference {...row} />
        </div>
      ))}
    </dl>
  )
}

function Difference(row: DiffRow) {
  switch (row.kind) {
    case 'value':
      return <ValueDifference {...row} />
    case 'values':
      return (
        <dd className={styles.change}>
          {row.removed.map((value) => (
            <Chip key={`removed ${value}`} sign="−" words="removed" className={styles.removed} value={value} />
          ))}
          {row.added.map((value) => (
            <Chip key={`added ${value}`} sign="+" words="added" className={styles.added} value={value} />
          ))}
        </dd>
      )
    case 'lines':
      return (
        <dd className={styles.linesOf}>
          <LineDiff {...row} />
        </dd>
      )
  }
}

function ValueDifference({ before, after }: { readonly before?: string; readonly after?: string }) {
  return (
    <dd className={styles.change}>
      {before !== undefined && (
        <del className={styles.before}>
          <bdi>{before}</bdi>
        </del>
      )}
      {before !== undefined && after !== undefined && (
        <span className={styles.arrow} aria-hidden="true">
          →
        </span>
      )}
      {after !== undefined && (
        <ins className={styles.after}>
          <bdi>{after}</bdi>
        </ins>
      )}
    </dd>
  )
}

interface ChipProps {
  readonly sign: string
  readonly words: string
  readonly value: string
  readonly className: string | undefined
}

function Chip({ sign, words, value, className }: ChipProps) {
  return (
    <span className={`${styles.chip} ${className}`}>
      <span aria-hidden="true">{sign} </span>
      <span className="visually-hidden">{words} </span>
      <bdi>{value}</bdi>
    </span>
  )
}
