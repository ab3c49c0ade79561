import { isDeepStrictEqual } from 'node:util'
import type { Config } from '@burgee/core'

/**
 * Returns the next config with every unchanged part replaced by the previous object. `recompile` then reuses its
 * results for identical objects, and changes can be detected by identity.
 */
export function shareStructure(previous: Config, next: Config): Config {
  return {
    ...next,
    project: reuseIfEqual(previous.project, next.project),
    features: shareList(previous.features, next.features, ({ _id }) => _id),
    variables: shareList(previous.variables, next.variables, ({ key }) => key),
    ...(next.audiences && { audiences: shareMembers(previous.audiences, next.audiences) }),
    ...(next.offValues && { offValues: shareMembers(previous.offValues, next.offValues) })
  }
}

/** Reuses equal items, and the list if all items are the same. Most items are, at the same position (`DocumentReader`). */
function shareList<T>(previous: readonly T[], next: readonly T[], idOf: (item: T) => string): readonly T[] {
  let byId: ReadonlyMap<string, T> | undefined
  const shared = next.map((item, index) => {
    if (item === previous[index]) return item
    byId ??= new Map(previous.map((former) => [idOf(former), former]))
    return reuseIfEqual(byId.get(idOf(item)), item)
  })
  const isSame = shared.length === previous.length && shared.every((item, index) => item === previous[index])
  return isSame ? previous : shared
}

function shareMembers<T>(previous: Readonly<Record<string, T>> | undefined, next: Readonly<Record<string, T>>) {
  const members = Object.entries(next).map(([name, value]): [string, T] => {
    return [name, reuseIfEqual(previous && Object.hasOwn(previous, name) ? previous[name] : undefined, value)]
  })
  return Object.fromEntries(members)
}

/** Returns the previous value if both are deeply equal. */
function reuseIfEqual<T>(previous: T | undefined, next: T): T {
  return previous !== undefined && isDeepStrictEqual(previous, next) ? previous : next
}
