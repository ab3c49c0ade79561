/** The members of a target that the descriptions read. Members of any other type count as absent. */
export interface TargetData {
  readonly _id?: string | undefined
  readonly name?: string | undefined
  readonly audience: { readonly filters: object }
  readonly rollout?: object | null | undefined
  readonly distribution: readonly object[]
  readonly bucketingKey?: string | undefined
}

/** The members of a feature configuration that the descriptions read. */
export interface ConfigurationData {
  readonly status?: string | undefined
  readonly targets?: readonly TargetData[] | undefined
  readonly hasStaticConfig?: boolean | undefined
  /** The id or key of the variation that everyone gets, with `hasStaticConfig`. */
  readonly staticVariation?: string | undefined
  /** When a kill turned the feature off, ISO 8601. */
  readonly killedAt?: string | undefined
}

/** An object of unknown shape. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the members of an object; none of any other value. */
export function members(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Returns the items of a list; none of any other value. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a string; undefined for any other value. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns a finite number; 0 for any other value. */
export function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** The variations that a target serves, with their shares. */
export function sharesOf(target: Members): readonly { readonly variation: string; readonly percentage: number }[] {
  return list(target.distribution).flatMap((share) => {
    const { _variation, percentage: fraction } = members(share)
    const [variation, percentage] = [text(_variation), number(fraction)]
    return variation && percentage > 0 ? [{ variation, percentage }] : []
  })
}

/** The filters of a target's audience. */
export function filtersOf(target: Members): Members {
  return members(members(target.audience).filters)
}

/** The deepest operator that is described. The API accepts 8 levels. */
export const MAX_DEPTH = 16

/** Whether an operator matches all users. */
export function matchesEveryone(operator: Members, depth = 0): boolean {
  const filters = list(operator.filters).map(members)
  if (filters.length === 0 || depth > MAX_DEPTH) return false
  const isAll = (filter: Members) => (filter.operator ? matchesEveryone(filter, depth + 1) : filter.type === 'all')
  return operator.operator === 'or' ? filters.some(isAll) : filters.every(isAll)
}
