import { isDeepStrictEqual } from 'node:util'
import { type Config, changedPart, replacePart } from '@burgee/core'

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

/** Reuses equal items, and the list if all items are the same. Most items are (`DocumentReader`). */
function shareList<T>(previous: readonly T[], next: readonly T[], idOf: (item: T) => string): readonly T[] {
  const part = changedPart(previous, next)
  const former = previous.slice(part.start, part.beforeEnd)
  const added = next.slice(part.start, part.afterEnd)
  const byId = new Map(former.map((item) => [idOf(item), item]))
  const shared = added.map((item) => reuseIfEqual(byId.get(idOf(item)), item))
  const isSame = shared.length === former.length && shared.every((item, index) => item === former[index])
  return isSame ? previous : replacePart(next, { ...part, beforeEnd: part.afterEnd }, shared)
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
