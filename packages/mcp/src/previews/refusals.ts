import { isDeepStrictEqual } from 'node:util'
import type { Permission } from '@burgee/contract'
import type { Feature, UpdateFeature, Variable } from '@burgee/contract/schemas'
import { ToolError } from '../answers/toolError.ts'
import { approvalOf } from '../approvals/approval.ts'
import type { Effect } from '../confirmation/effect.ts'
import type { Around, Carrier } from '../effects/around.ts'
import { changedFeature } from '../effects/changedFeature.ts'
import { factsOf } from '../effects/facts.ts'
import { isOfType } from '../effects/isOfType.ts'
import { reached } from '../effects/reach.ts'
import { quoted, shown } from '../quoted.ts'

// What the API would refuse anyway, refused before anybody is asked.

/** @throws {ToolError} when the caller may change nothing of a feature. */
export function demandWritable({ key, readonly }: Pick<Feature, 'key' | 'readonly'>): void {
  if (readonly) throw lacking('feature:write', key)
}

/** @throws {ToolError} when a feature has to be active before anything of it can change. */
export function demandNotArchived({ key, status }: Pick<Feature, 'key' | 'status'>): void {
  if (status !== 'archived') return
  throw new ToolError(
    'VALIDATION_ERROR',
    `feature ${quoted(key)} is archived and cannot change; its status should be active first (update_feature_status)`
  )
}

/** A feature; without the project of what no approval could be asked for. */
type Guarded = Carrier & Partial<Pick<Around, 'project'>>

/** @throws {ToolError} when a change of a feature reaches users that the caller may not change anything for. */
export function demandOpen({ environments }: Pick<Effect, 'environments'>, around: Guarded): void {
  const reaching = new Set(environments.map(({ key }) => key))
  const closed = closedIn(around).find(({ key }) => reaching.has(key))
  if (closed) throw lacking('feature:publish', around.feature.key, closed.key)
}

/** @throws {ToolError} when an update changes something in an environment that the caller may not change anything in. */
export function demandOpenFor(body: UpdateFeature, around: Around): void {
  const closed = closedIn(around)
  if (closed.length === 0) return
  const before = factsOf(around.feature, around.environments)
  const after = changedFeature(before, body)
  const others = after.configurations.filter((one, index) => !isDeepStrictEqual(one, before.configurations[index]))
  // How a feature presents itself is nothing that it serves.
  const { settings = {} } = before
  const environments = reached({ ...before, settings } as typeof before, { ...after, settings } as typeof before)
  demandOpen({ environments: [...others.map(({ environment }) => environment), ...environments] }, around)
}

/** @throws {ToolError} when the caller may not end what the users of an environment get. */
export function demandEnding({ changes }: Pick<Effect, 'changes'>, around: Around): void {
  const [closed] = closedIn(around)
  if (closed && changes.length > 0) throw lacking('feature:publish', around.feature.key)
}

/** @throws {ToolError} when values that a variable has are not of its new type. */
export function demandFit({ key, type: was }: Variable, type: Variable['type'] | undefined, carrier?: Carrier): void {
  if (!carrier || type === undefined || type === was) return
  const misfits = carrier.feature.variations.flatMap(({ key: variation, variables = {} }) => {
    const value = variables[key]
    if (value === undefined || isOfType(type, value)) return []
    return [`variation ${quoted(variation)}: variable ${quoted(key)} should be a ${type}, got ${shown(value)}`]
  })
  if (misfits.length === 0) return
  throw new ToolError('VALIDATION_ERROR', `values do not fit the new type: ${misfits.join('; ')}`)
}

/**
 * The environments in which the caller may change nothing for want of the right to publish. Who may not change the feature
 * at all is told nothing by them, and where changes take an approval, that is asked for instead.
 */
function closedIn({ feature, environments, project }: Guarded): Guarded['environments'] {
  if (feature.readonly || (project && approvalOf(project) !== 'none')) return []
  const closed = new Set(
    feature.configurations.filter(({ readonly }) => readonly).map(({ _environment }) => _environment)
  )
  return environments.filter(({ _id }) => closed.has(_id))
}

function lacking(permission: Permission, feature: string, environment?: string): ToolError {
  const where = environment === undefined ? '' : ` in environment ${quoted(environment)}`
  return new ToolError(
    'PERMISSION_ERROR',
    `changing feature ${quoted(feature)}${where} takes the permission ${permission}`
  )
}
