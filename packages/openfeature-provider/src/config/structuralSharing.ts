import { isDeepStrictEqual } from 'node:util'
import type { Config } from '@burgee/core'

/**
 * Returns the next config with every unchanged part replaced by the previous object. `recompile` then reuses its
 * results for identical objects, and changes can be detected by identity.
 */
export function shareStructure(previous: Config, next: Config): Config {
  const features = new Map(previous.features.map((feature) => [feature._id, feature]))
  return {
    ...next,
    project: reuseIfEqual(previous.project, next.project),
    features: shareList(next.features, (feature) => features.get(feature._id)),
    variables: reuseIfEqual(previous.variables, shareVariables(previous, next)),
    ...(next.audiences && { audiences: shareMembers(previous.audiences, next.audiences) }),
    ...(next.offValues && { offValues: shareMembers(previous.offValues, next.offValues) })
  }
}

function shareVariables(previous: Config, next: Config): Config['variables'] {
  const variables = new Map(previous.variables.map((variable) => [variable.key, variable]))
  return shareList(next.variables, (variable) => variables.get(variable.key))
}

function shareList<T>(items: readonly T[], find: (item: T) => T | undefined): readonly T[] {
  return items.map((item) => reuseIfEqual(find(item), item))
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
