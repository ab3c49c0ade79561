import { isOperator, type Operator, type ProjectDocument, type Resource } from '../../document/projectDocument.ts'

/** Returns the audiences that an audience refers to directly. */
export function audiencesOf(operator: Operator | undefined): readonly string[] {
  return (operator?.filters ?? []).flatMap((item) => (isOperator(item) ? audiencesOf(item) : (item._audiences ?? [])))
}

/** Returns the cycle of references that contains an audience, if there is one. */
export function findAudienceCycle(
  start: string,
  audiences: Readonly<Record<string, Resource>>
): readonly string[] | undefined {
  const seen = new Set<string>()
  const visit = (key: string, path: readonly string[]): readonly string[] | undefined => {
    for (const next of audiencesOf(audiences[key]?.for as Operator | undefined)) {
      if (next === start) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = visit(next, [...path, next])
      if (found) return found
    }
    return undefined
  }
  return visit(start, [start])
}

/** Returns the number of audiences that each audience refers to in a row. The files have no cycle. */
export function audienceDepths({ audiences }: ProjectDocument): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  for (const key of Object.keys(audiences)) depthOf(key)
  return depths

  // Each audience is visited once, however many refer to it.
  function depthOf(key: string): number {
    const known = depths.get(key)
    if (known !== undefined) return known
    const direct = audiencesOf(audiences[key]?.for as Operator | undefined).filter((one) => audiences[one])
    const depth = direct.reduce((deepest, one) => Math.max(deepest, 1 + depthOf(one)), 0)
    depths.set(key, depth)
    return depth
  }
}
