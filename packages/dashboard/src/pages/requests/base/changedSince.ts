import { type AuditChange, describeChange, environmentsOf } from '../../../components/diff/describeChange.ts'
import type { DiffContext, DiffGroup, DiffRow } from '../../../components/diff/model.ts'

/** A value that was changed after a request was made. */
export interface ChangedSince {
  readonly id: string
  /** What was changed, for example "Production, Target “Canada”: Rollout". */
  readonly title: string
  readonly change: string
  /** The change of the same value in the request, if it conflicts. Absent if the request does not change the value, or to the same. */
  readonly requested?: string
  /** Whether the value is already as requested. */
  readonly isAsRequested?: true
}

/** A changed value, with the text of its new state. */
interface Value extends ChangedSince {
  readonly after: string
}

/** Returns the values that were changed after a request was made, conflicts first. */
export function changedSince(
  changes: readonly AuditChange[],
  requested: readonly AuditChange[],
  context: DiffContext
): readonly ChangedSince[] {
  const wanted = new Map(valuesOf(requested, context).map((value) => [value.id, value]))
  // Adding or removing an item conflicts with any change within it.
  const wantedWithin = (id: string) => [...wanted].find(([other]) => isWithin(other, id) || isWithin(id, other))?.[1]
  return valuesOf(changes, context)
    .map(({ after, ...value }): ChangedSince => {
      const same = wanted.get(value.id)
      if (same?.after === after) return { ...value, isAsRequested: true }
      const conflict = same ?? wantedWithin(value.id)
      return conflict === undefined ? value : { ...value, requested: conflict.change }
    })
    .toSorted((one, other) => Number(one.requested === undefined) - Number(other.requested === undefined))
}

function valuesOf(changes: readonly AuditChange[], context: DiffContext): readonly Value[] {
  return changes.flatMap((change) => {
    const place = environmentsOf(change, context).join(', ')
    return describeChange(change, context).flatMap((group) => {
      const id = `${place} ${group.id.replace(/^(added|removed)-/, '')}`
      const title = [place, group.title].filter(Boolean).join(', ')
      const isWhole = group.mark === 'added' || group.mark === 'removed'
      if (isWhole || group.rows.length === 0) {
        return [{ id, title, change: wholeText(group), after: wholeText(group) }]
      }
      return group.rows.map((row) => ({
        id: `${id} / ${row.label}`,
        title: `${title}: ${row.label}`,
        change: rowText(row),
        after: afterText(row)
      }))
    })
  })
}

function isWithin(value: string, whole: string): boolean {
  return value.startsWith(`${whole} / `)
}

function wholeText({ mark, note }: DiffGroup): string {
  if (note === undefined) return mark
  return mark === 'changed' ? note : `${mark}: ${note}`
}

/** The text of a value after a change. Lists are compared by what is added and removed, from the same list. */
function afterText(row: DiffRow): string {
  if (row.kind === 'lines') return row.after
  return row.kind === 'value' ? (row.after ?? 'none') : rowText(row)
}

function rowText(row: DiffRow): string {
  if (row.kind === 'lines') return 'changed'
  if (row.kind === 'value' && row.before === undefined) return row.after ?? 'none'
  if (row.kind === 'value') return `${row.before} → ${row.after ?? 'none'}`
  return [...row.removed.map((value) => `− ${value}`), ...row.added.map((value) => `+ ${value}`)].join(', ')
}
