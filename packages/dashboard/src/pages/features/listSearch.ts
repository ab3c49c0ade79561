/** The filters and the order of the list, as they stand in the address. */
export interface ListSearch {
  readonly q?: string
  readonly status?: 'active' | 'complete' | 'archived' | 'all'
  readonly type?: string
  readonly tag?: string
  /** The status in the chosen environment. */
  readonly is?: EnvironmentFilter
  readonly stale?: true
  /** Whether only features are listed that this browser watches. */
  readonly watched?: true
  /** The id of the person or client that created the feature. */
  readonly owner?: string
  readonly sort?: Sort
}

/** The members that leave out features. */
export const filterMembers = ['q', 'status', 'type', 'tag', 'is', 'stale', 'watched', 'owner'] as const

/** Members of the address to set, or to remove with `undefined`. */
export type SearchChange = { readonly [Member in keyof ListSearch]?: ListSearch[Member] | undefined }

/** The change that removes all filters. */
export const noFilters: SearchChange = Object.fromEntries(filterMembers.map((member) => [member, undefined]))

export type EnvironmentFilter = (typeof environmentFilters)[number]
export type Sort = (typeof sorts)[number]

export const environmentFilters = ['any', 'on', 'split', 'partly', 'scheduled', 'off', 'killed'] as const
export const sorts = ['-changed', 'changed', 'name', '-name', '-created', 'created'] as const
const statuses = ['active', 'complete', 'archived', 'all'] as const

/** Reads the filters of an address. What is not a filter counts as absent. */
export function toListSearch(search: Record<string, unknown>): ListSearch {
  const text = (name: string) => {
    const value = search[name]
    return typeof value === 'string' || typeof value === 'number' ? { [name]: String(value) } : {}
  }
  return {
    ...text('q'),
    ...text('type'),
    ...text('tag'),
    ...text('owner'),
    ...oneOf('status', statuses, search),
    ...oneOf('is', environmentFilters, search),
    ...oneOf('sort', sorts, search),
    ...flag('stale', search),
    ...flag('watched', search)
  }
}

function flag<Name extends string>(name: Name, search: Record<string, unknown>): { readonly [N in Name]?: true } {
  const isOn = search[name] === true || search[name] === 'true' || search[name] === 1
  return (isOn ? { [name]: true } : {}) as { readonly [N in Name]?: true }
}

function oneOf<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  search: Record<string, unknown>
): { readonly [N in Name]?: Value } {
  const found = values.find((value) => value === search[name])
  return (found === undefined ? {} : { [name]: found }) as { readonly [N in Name]?: Value }
}
