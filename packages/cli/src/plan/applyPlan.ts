import { setTimeout } from 'node:timers/promises'
import { ApiError } from '@burgee/contract/client'
import type { ManagedResource, Management } from '@burgee/contract/schemas'
import { formatPath, isEqual, valueAt } from '../document/members.ts'
import {
  type DocumentConfiguration,
  type Operator,
  type ProjectDocument,
  type Resource,
  type Section,
  sectionNames,
  sections
} from '../document/projectDocument.ts'
import { NotFoundError } from '../run/errors.ts'
import { exitCodes } from '../run/exitCodes.ts'
import { toFailure } from '../run/toFailure.ts'
import { type ApplyContext, applyChange, applyMetrics, PlanOutdatedError, type Requested } from './applyChange.ts'
import { audiencesOf } from './checkDocument.ts'
import type { KeptItem, Plan, ResourceChange } from './createPlan.ts'
import { CLAIMED, fieldsByResource, nameOf } from './project/managedFields.ts'
import { readResource } from './readResource.ts'

/** The outcome of the change of one resource. */
export interface AppliedItem {
  readonly resource: string
  readonly action: ResourceChange['action']
  readonly outcome: 'applied' | 'requested' | 'failed' | 'skipped' | 'notStarted'
  /** The ids of change requests. */
  readonly changeRequests?: readonly string[]
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** The exit code of the failure. */
  readonly exit?: number
}

interface ApplyOptions {
  /** Ends the application after the change under way. */
  readonly interruption: AbortSignal
  /** Whether to stop after a failure. */
  readonly failFast: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Applies the changes of a plan in an order in which references exist. Goes on after failures. */
export async function applyPlan(
  { changes }: Plan,
  context: ApplyContext,
  { interruption, failFast, onProgress }: ApplyOptions
): Promise<readonly AppliedItem[]> {
  const items: AppliedItem[] = []
  const failed = new Set<string>()
  const ordered = inOrder(changes, context.files)
  for (const change of ordered) {
    const resource = formatPath([change.section, change.key])
    const { action } = change
    const missing = referencesOf(change, context.files).find((name) => failed.has(name))
    if (interruption.aborted || (failFast && failed.size > 0)) {
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
      const changeRequests = await patiently(() => applyIdempotently(change, context), interruption)
      const metrics = change.members.find(({ path: [name] }) => name === 'metrics')
      if (metrics) {
        const wanted = metrics.after as readonly string[]
        await patiently(() => applyMetrics(change.key, wanted, context), interruption)
      }
      if (changeRequests.length > 0) return { resource, action, outcome: 'requested', changeRequests }
      return { resource, action, outcome: 'applied' }
    } catch (error) {
      failed.add(resource)
      if (error instanceof PlanOutdatedError) {
        return { resource, action, outcome: 'failed', reason: error.message, exit: exitCodes.conflict }
      }
      const { message, exit } = toFailure(await context.session.explain(error))
      return { resource, action, outcome: 'failed', reason: message, exit }
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

/** The longest wait that a server can ask for, in seconds. */
const MAX_WAIT = 60

/** Repeats a change that the server refused because there are too many: it was not made. */
async function patiently<T>(work: () => Promise<T>, interruption: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const { status, retryAfter = MAX_WAIT + 1 } = error instanceof ApiError ? error : { status: 0 }
      if (status !== 429 || retryAfter > MAX_WAIT || interruption.aborted) throw error
      await setTimeout(retryAfter * 1000, undefined, { signal: interruption }).catch(() => {})
    }
  }
}

/**
 * Returns changes in the order in which they can be applied: sections in their order, audiences after those that they
 * refer to, metrics before the features that are measured by them, settings after what they could forbid, and removals last, in the
 * opposite order.
 */
function inOrder(changes: readonly ResourceChange[], files: ProjectDocument): readonly ResourceChange[] {
  const order: readonly Section[] = [
    'customProperties',
    'audiences',
    'variables',
    'metrics',
    'features',
    'webhooks',
    'settings'
  ]
  const isRemoval = ({ action }: ResourceChange) => action === 'delete' || action === 'archive'
  const placed = (list: readonly ResourceChange[]) =>
    order.flatMap((name) => list.filter(({ section }) => section === name))
  const depths = new Map(Object.keys(files.audiences).map((key) => [key, depthOf(key, files)]))
  const written = placed(changes.filter((change) => !isRemoval(change)))
  const sorted = [
    ...written.filter(({ section }) => section === 'customProperties'),
    ...written
      .filter(({ section }) => section === 'audiences')
      .sort((one, other) => (depths.get(one.key) ?? 0) - (depths.get(other.key) ?? 0)),
    ...written.filter(({ section }) => section !== 'customProperties' && section !== 'audiences')
  ]
  return [...sorted, ...placed(changes.filter(isRemoval)).toReversed()]
}

/** The number of audiences that an audience refers to in a row. The files have no cycle. */
function depthOf(key: string, files: ProjectDocument): number {
  const direct = audiencesOf(files.audiences[key]?.for as Operator | undefined).filter((one) => files.audiences[one])
  return direct.reduce((deepest, one) => Math.max(deepest, 1 + depthOf(one, files)), 0)
}

/** Returns the resources that have to exist before a change. */
export function referencesOf({ section, key, action }: ResourceChange, files: ProjectDocument): readonly string[] {
  if (action === 'delete' || action === 'archive') return []
  const resource = files[section][key]
  if (section === 'audiences')
    return audiencesOf(resource?.for as Operator | undefined).map((one) => `audiences.${one}`)
  if (section === 'webhooks') return resource?.feature ? [`features.${resource.feature}`] : []
  if (section !== 'features') return []
  const metrics = ((resource?.metrics ?? []) as readonly string[]).map((one) => `metrics.${one}`)
  return [...targetAudiences(resource).map((one) => `audiences.${one}`), ...metrics]
}

function targetAudiences(resource: Resource | undefined): readonly string[] {
  const configurations = Object.values(
    (resource?.environments ?? {}) as Readonly<Record<string, DocumentConfiguration>>
  )
  return configurations.flatMap(({ targets = [] }) => targets.flatMap((target) => audiencesOf(target.for)))
}

/** Returns what the server should keep about members after a plan was applied. */
export function managedAfter(
  plan: Plan,
  items: readonly AppliedItem[],
  {
    described,
    before,
    isSelected
  }: {
    readonly described: readonly ManagedResource[]
    readonly before: Management
    readonly isSelected: (path: string) => boolean
  }
): readonly ManagedResource[] {
  const outcomes = new Map(items.map(({ resource, outcome }) => [resource, outcome]))
  const known = fieldsByResource(before)
  const keptOf = new Map<string, readonly KeptItem[]>()
  for (const item of plan.kept) {
    const path = formatPath([item.section, item.key])
    keptOf.set(path, [...(keptOf.get(path) ?? []), item])
  }
  const after = described.map((resource): ManagedResource => {
    const path = formatPath([sectionNames.find((name) => sections[name] === resource.kind) ?? '', resource.key])
    const applied = known.get(nameOf(resource)) ?? {}
    const outcome = outcomes.get(path) ?? 'applied'
    const kept = keptOf.get(path) ?? []
    const isKept = (name: string) =>
      kept.some((item) => name === formatPath(item.path) || name.startsWith(`${formatPath(item.path)}.`))
    const fields = Object.entries(resource.fields).map(([name, digest]) => {
      const isDone = outcome === 'applied' && !isKept(name)
      return [name, isDone ? digest : (applied[name] ?? CLAIMED)] as const
    })
    const stays = Object.entries(applied).filter(([name]) => isKept(name) || !isSelected(`${path}.${name}`))
    return { ...resource, fields: { ...Object.fromEntries(stays), ...Object.fromEntries(fields) } }
  })
  const deleted = plan.changes.flatMap(({ section, kind, key, action }) => {
    return action === 'delete' && outcomes.get(formatPath([section, key])) === 'applied'
      ? [{ kind, key, fields: {} }]
      : []
  })
  return [...after, ...deleted]
}

/** Returns the exit code of an application. */
export function exitCodeOf(items: readonly AppliedItem[], interruption: AbortSignal): number {
  if (interruption.aborted && items.some(({ outcome }) => outcome === 'notStarted')) return Number(interruption.reason)
  const failures = items.filter(({ outcome }) => outcome === 'failed')
  const [first] = failures
  if (first) return items.length === 1 ? (first.exit ?? exitCodes.partial) : exitCodes.partial
  return items.some(({ outcome }) => outcome === 'requested') ? exitCodes.requested : exitCodes.done
}
