import type { EnvironmentFilter, ListSearch } from './listSearch.ts'

/** The filters by the status in an environment. */
export const filterTitles: Readonly<Record<EnvironmentFilter, string>> = {
  any: 'On for some or all users',
  on: 'On for everyone',
  split: 'On, several variations',
  partly: 'On for some users',
  scheduled: 'Scheduled',
  off: 'Off',
  killed: 'Killed'
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** The filters of the list in words, for example `status complete and tag checkout`. */
export function describeListFilters(search: ListSearch, environment = 'this environment'): string {
  const { q, status, type, tag, is, stale, watched, owner } = search
  const parts = [
    q && `the search “${shorten(q)}”`,
    status && status !== 'all' && `status ${status}`,
    type && `type ${shorten(type)}`,
    tag && `tag ${shorten(tag)}`,
    is && `“${filterTitles[is]}” in ${shorten(environment)}`,
    stale && '“stale”',
    watched && '“watched”',
    owner && 'this owner'
  ].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? 'the status active or complete' : list.format(parts as string[])
}

/** At most 40 characters of a text that a person typed. */
function shorten(text: string): string {
  const characters = [...text]
  return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text
}
