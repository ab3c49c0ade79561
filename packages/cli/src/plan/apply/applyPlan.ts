import { ApiError } from '@burgee/contract/client'
import { formatPath, isEqual, valueAt } from '../../document/members.ts'
import { NotFoundError } from '../../run/failures/errors.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { toFailure } from '../../run/failures/toFailure.ts'
import { retryRefused } from '../../run/http/retryRefused.ts'
import type { Plan, ResourceChange } from '../difference/createPlan.ts'
import { readResource } from '../project/readResource.ts'
import { applyChange } from './applyChange.ts'
import { type ApplyContext, PlanOutdatedError, type Requested } from './applyContext.ts'
import { applyMetrics } from './applyFeature.ts'
import { inOrder, referencesOf } from './applyOrder.ts'
import { openFeatureBatches } from './featureBatches.ts'

/** The outcome of the change of one resource. */
export interface AppliedItem {
  readonly resource: string
  readonly action: ResourceChange['action']
  readonly outcome: 'applied' | 'requested' | 'failed' | 'skipped' | 'notStarted'
  /** The ids of change requests. */
  readonly changeRequests?: readonly string[]
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** What to do about the failure. */
  readonly hint?: string
  /** The exit code of the failure. */
  readonly exit?: number
}

interface ApplyOptions {
  /** Ends the application after the current change. */
  readonly interruption: AbortSignal
  /** Whether to stop after a failure. */
  readonly failFast: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Applies the changes of a plan in an order in which references exist. Continues after failures. */
export async function applyPlan(
  { changes }: Plan,
  context: ApplyContext,
  { interruption, failFast, onProgress }: ApplyOptions
): Promise<readonly AppliedItem[]> {
  const items: AppliedItem[] = []
  const failed = new Set<string>()
  const ordered = inOrder(changes, context.files)
  const missingOf = (change: ResourceChange) => referencesOf(change, context.files).find((name) => failed.has(name))
  const batches = openFeatureBatches(ordered, context, (change) => missingOf(change) !== undefined)
  for (const change of ordered) {
    const resource = formatPath([change.section, change.key])
    const { action } = change
    const missing = missingOf(change)
    if (batches.isCreated(change)) {
      items.push({ resource, action, outcome: 'applied' })
    } else if (interruption.aborted || (failFast && failed.size > 0)) {
      items.push({ resource, action, outcome: 'notStarted' })
    } else if (missing !== undefined) {
      failed.add(resource)
      items.push({ resource, action, outcome: 'skipped', reason: `needs ${missing}, which failed` })
    } else {
      items.push(await attempt(change, resource))
    }
    onProgress(items.length, ordered.length)
  }
  return items

  async function attempt(change: ResourceChange, resource: string): Promise<AppliedItem> {
    const { action } = change
    try {
      if (await retryRefused(() => batches.create(change), interruption))
        return { resource, action, outcome: 'applied' }
      const changeRequests = await retryRefused(() => applyIdempotently(change, context), interruption)
      const metrics = change.members.find(({ path: [name] }) => name === 'metrics')
      if (metrics) {
        const wanted = metrics.after as readonly string[]
        await retryRefused(() => applyMetrics(change.key, wanted, context), interruption)
      }
      if (changeRequests.length > 0) return { resource, action, outcome: 'requested', changeRequests }
      return { resource, action, outcome: 'applied' }
    } catch (error) {
      failed.add(resource)
      if (error instanceof PlanOutdatedError) {
        return { resource, action, outcome: 'failed', reason: error.message, exit: exitCodes.conflict }
      }
      const { message, hint, exit } = toFailure(await context.session.explain(error), context.session.suggest)
      return { resource, action, outcome: 'failed', reason: message, ...(hint !== undefined && { hint }), exit }
    }
  }
}

/** The statuses of a change of a resource that another client created, changed or deleted. */
const CONFLICT_STATUSES: ReadonlySet<number> = new Set([404, 409, 412])

/** Applies a change, unless another client has already made the same change. @throws {ApiError}, {PlanOutdatedError} */
async function applyIdempotently(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  try {
    return await applyChange(change, context)
  } catch (error) {
    const isConflict =
      error instanceof PlanOutdatedError ||
      error instanceof NotFoundError ||
      (error instanceof ApiError && CONFLICT_STATUSES.has(error.status))
    if (!isConflict || !(await isApplied(change, context))) throw error
    return []
  }
}

/** Whether the members that a change concerns, except for metrics, have the values that it sets. */
async function isApplied(change: ResourceChange, context: ApplyContext): Promise<boolean> {
  const { action, members } = change
  const current = await readResource(change, context).catch((error: unknown) => {
    if (error instanceof NotFoundError || (error instanceof ApiError && error.status === 404)) return undefined
    throw error
  })
  if (action === 'delete' || !current) return action === 'delete' && !current
  if (action === 'archive') return current.resource.status === 'archived'
  return members.every(({ path, after }) => path[0] === 'metrics' || isEqual(valueAt(current.resource, path), after))
}

/** Returns the exit code of an apply. */
export function exitCodeOf(items: readonly AppliedItem[], interruption: AbortSignal): number {
  if (interruption.aborted && items.some(({ outcome }) => outcome === 'notStarted')) return Number(interruption.reason)
  const failures = items.filter(({ outcome }) => outcome === 'failed')
  const [first] = failures
  // The only change has the exit code of its failure.
  if (first) return items.length === 1 ? (first.exit ?? exitCodes.partial) : exitCodes.partial
  return items.some(({ outcome }) => outcome === 'requested') ? exitCodes.requested : exitCodes.done
}
