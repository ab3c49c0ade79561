import styles from './Diff.module.css'
import { Diff } from './Diff.tsx'
import { type AuditChange, describeChange, environmentsOf } from './describeChange.ts'
import type { DiffContext } from './model.ts'

interface Props {
  readonly changes: readonly AuditChange[]
  readonly context: DiffContext
}

/** The changes of an audit entry or of a change request, by environment. */
export function Changes({ changes, context }: Props) {
  const places = [...new Set(changes.map((change) => placeOf(change, context)))]
  return places.map((place) => (
    // A group, not a region: a history has many of them with the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    <div key={place} role="group" className={styles.place} aria-label={place || 'In all environments'}>
      {place !== '' && <p className={styles.placeName}>In {place}</p>}
      <Diff
        groups={changes
          .filter((change) => placeOf(change, context) === place)
          .flatMap((change, index) =>
            describeChange(change, context).map((group) => ({ ...group, id: `${index} ${group.id}` }))
          )}
      />
    </div>
  ))
}

function placeOf(change: AuditChange, context: DiffContext): string {
  return environmentsOf(change, context).join(', ')
}
