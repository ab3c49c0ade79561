import { createPreference } from '../../../preferences/preferences.ts'
import { type ListSearch, toListSearch } from '../listSearch.ts'

/** A filter of the list of a project that this browser remembers under a name. */
export interface SavedFilter {
  readonly project: string
  readonly name: string
  readonly search: ListSearch
}

/** The saved filters of all projects as JSON. */
export const savedFilters = createPreference('filters', {
  initial: '[]',
  isValid: (text): text is string => Array.isArray(parse(text))
})

/** Parses the saved filters, and drops invalid ones. */
export function readFilters(text: string): readonly SavedFilter[] {
  return [parse(text)].flat().flatMap((each: unknown) => {
    const { project, name, search } = Object(each) as Readonly<Record<string, unknown>>
    return typeof project === 'string' && typeof name === 'string'
      ? [{ project, name, search: toListSearch(Object(search)) }]
      : []
  })
}

/** Adds a filter. It replaces one with the same name and project. */
export function withFilter(all: readonly SavedFilter[], filter: SavedFilter): readonly SavedFilter[] {
  return [...withoutFilter(all, filter), filter]
}

/** The filters without the one of this name and project. */
export function withoutFilter(all: readonly SavedFilter[], { project, name }: SavedFilter): readonly SavedFilter[] {
  return all.filter((each) => each.project !== project || each.name !== name)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
