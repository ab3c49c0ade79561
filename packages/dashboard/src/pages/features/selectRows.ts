import type { FeatureListItem } from '@burgee/contract/schemas'
import type { EnvironmentFilter, ListSearch, Sort } from './listSearch.ts'

/**
 * Returns the rows that the filters select, in order. `environment` is the key of the chosen one, `watchedIds` are the
 * features that this browser watches.
 */
export function selectRows(
  rows: readonly FeatureListItem[],
  { q = '', status, type, tag, is, stale, watched, owner, sort = '-changed' }: ListSearch,
  environment = '',
  watchedIds: ReadonlySet<string> = NONE
): readonly FeatureListItem[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const selected = rows.filter((row) => {
    if (!hasStatus(row, status)) return false
    if (type !== undefined && row.type !== type) return false
    if (tag !== undefined && !row.tags.includes(tag)) return false
    if (owner !== undefined && row._createdBy !== owner) return false
    if (stale && !row.staleness) return false
    if (watched && !watchedIds.has(row._id)) return false
    if (is !== undefined && !matchesStatus(row.environments[environment]?.status, is)) return false
    return words.length === 0 || containsAll(row, words)
  })
  return selected.sort(compareBy(sort))
}

const NONE: ReadonlySet<string> = new Set()

function matchesStatus(
  status: FeatureListItem['environments'][string]['status'] | undefined,
  is: EnvironmentFilter
): boolean {
  if (is === 'any') return status === 'on' || status === 'split' || status === 'partly'
  return status === is || (is === 'off' && status === 'killed')
}

/** Archived features are listed on request only. */
function hasStatus(row: FeatureListItem, status: ListSearch['status']): boolean {
  if (status === undefined) return row.status !== 'archived'
  return status === 'all' || row.status === status
}

function containsAll({ name, key, tags }: FeatureListItem, words: readonly string[]): boolean {
  const text = [name, key, ...tags].join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compareBy(sort: Sort): (one: FeatureListItem, other: FeatureListItem) => number {
  const sign = sort.startsWith('-') ? -1 : 1
  const member = sort.replace('-', '')
  if (member === 'name') return (one, other) => sign * collator.compare(one.name, other.name)
  const time = member === 'created' ? 'createdAt' : 'updatedAt'
  return (one, other) => sign * compareText(one[time], other[time]) || collator.compare(one.name, other.name)
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
