import { formatPath } from '../../document/members.ts'
import { formatCount } from '../../output/formatCount.ts'
import type { Outcome } from '../../output/outcome.ts'
import type { AppliedItem } from '../../plan/apply/applyPlan.ts'
import type { DriftMode } from '../../plan/difference/createPlan.ts'
import type { OpenPlan } from '../../plan/openPlan.ts'
import { ConflictError } from '../../run/failures/errors.ts'
import type { Session } from '../../run/session.ts'

interface RunOptions {
  readonly takeOver: boolean
  readonly drift: DriftMode
  readonly message: string
  readonly failFast: boolean
  readonly force: boolean
}

/** Shows a plan, asks, applies it, and reports the outcome. */
export async function runPlan(session: Session, opened: OpenPlan, options: RunOptions): Promise<Outcome> {
  const { project, label, plan, files, server, source } = opened
  const { applyPlan, exitCodeOf } = await import('../../plan/apply/applyPlan.ts')
  const { formatApplied, formatPlan } = await import('../../plan/formatPlan.ts')
  const { requiredOperations } = await import('../../plan/apply/requiredOperations.ts')
  const { assertMayCall } = await import('../../run/server/assertPermitted.ts')
  const {
    claims,
    describedResources,
    differences,
    isOvertaken,
    managedAfter,
    openManagementLog,
    unresolvedConflicts,
    withoutConflicts
  } = await import('../../plan/management.ts')
  const sayUnchanged = async () => session.terminal.notice('interrupted: nothing was applied')
  session.terminal.pendingSaves.add(sayUnchanged)
  await assertAllowed(session, opened, options)
  if (plan.changes.length > 0) {
    await assertMayCall({ client: session.client, project: () => project }, requiredOperations(plan))
    session.terminal.show(formatPlan(plan, opened.title, [], options.takeOver))
    await session.confirm(`Apply ${formatCount(plan.changes.length, 'change')} to ${project}?`)
  }
  const log = openManagementLog(session, opened)
  const described = describedResources(files, opened)
  const kept = { described, before: log.before, isSelected: opened.isSelected }
  if (plan.changes.length === 0) {
    session.terminal.pendingSaves.delete(sayUnchanged)
    const changed = differences(managedAfter(plan, [], kept), log.before)
    const isNewCommit = source.commit !== undefined && source.commit !== log.before.commit
    if (changed.length > 0 || isNewCommit) await record(changed, options.takeOver)
    const result = { project, items: [] }
    return { data: result, text: () => formatPlan(plan, opened.title, [], options.takeOver) }
  }
  // Members of other labels are taken over after their change, since it can fail.
  await log.write(claims(withoutConflicts(described, plan.conflicts), log.before)).catch((error: unknown) => {
    if (!isOvertaken(error)) throw error
    throw new ConflictError(
      `nothing was changed: another burgee apply of "${label}" started meanwhile. Run ${opened.planAgain}, then apply again`
    )
  })
  session.terminal.pendingSaves.delete(sayUnchanged)
  const description = [options.message, describeSource(opened)].filter(Boolean).join('\n')
  const { items, exitCode } = await session.terminal.interruptible(async (interruption) => {
    const context = { session, files, server, label, description, force: options.force, planAgain: opened.planAgain }
    const applied = await applyPlan(plan, context, {
      interruption,
      failFast: options.failFast,
      onProgress: progressOf(session)
    })
    return { items: applied, exitCode: exitCodeOf(applied, interruption) }
  })
  const moved = withoutConflicts(described, unresolvedConflicts(plan, items))
  await record(managedAfter(plan, items, { ...kept, described: moved }), options.takeOver)
  const next = adviceFor(items)
  if (next !== undefined) session.terminal.notice(next)
  return {
    data: { project, items },
    text: () => [formatApplied(items), ...hintsOf(items), ...approvalsOf(items, session)].join('\n'),
    exitCode
  }

  /** Records what is applied, unless another run of the same label has done so. */
  async function record(...written: Parameters<typeof log.write>): Promise<void> {
    try {
      await log.write(...written)
    } catch (error) {
      if (!isOvertaken(error)) throw error
      session.terminal.notice(
        `another burgee apply of "${label}" started meanwhile: run ${opened.planAgain} to see the remaining changes`
      )
    }
  }
}

/** Says how to finish an apply, if it is not finished. */
function adviceFor(items: readonly AppliedItem[]): string | undefined {
  const has = (wanted: AppliedItem['outcome']) => items.some(({ outcome }) => outcome === wanted)
  if (!has('failed') && !has('skipped') && !has('notStarted')) return undefined
  const kept = has('applied') || has('requested') ? 'applied changes are kept' : 'nothing was applied'
  return `${kept}. To finish, ${has('failed') ? 'correct what failed, and ' : ''}repeat the command`
}

/** Returns the hints of all failures, each once. */
function hintsOf(items: readonly AppliedItem[]): readonly string[] {
  return [...new Set(items.flatMap(({ hint = [] }) => hint))]
}

/** Returns the commands with which another person approves the change requests. */
function approvalsOf(items: readonly AppliedItem[], { suggest }: Session): readonly string[] {
  const commands = items.flatMap(({ resource, changeRequests = [] }) =>
    changeRequests.map((id) =>
      resource.startsWith('features.')
        ? suggest(`requests approve ${id}`)
        : suggest(`project-change-requests review ${id} --action approved --comment <comment>`)
    )
  )
  return commands.length === 0 ? [] : ['Next: another person runs', ...commands.map((command) => `  ${command}`)]
}

/**
 * Asserts that the plan has no conflict with another label and no drift, unless the options allow them.
 * @throws {ConflictError}
 */
async function assertAllowed(
  { terminal, suggest }: Session,
  { plan, title }: OpenPlan,
  { takeOver, drift }: Pick<RunOptions, 'takeOver' | 'drift'>
): Promise<void> {
  const { formatPlan } = await import('../../plan/formatPlan.ts')
  const { hasDrift } = await import('../../plan/difference/createPlan.ts')
  const [conflict] = plan.conflicts
  if (conflict && !takeOver) {
    terminal.show(formatPlan(plan, title))
    const name = formatPath([conflict.section, conflict.key, conflict.path])
    throw new ConflictError(
      `nothing was changed: ${name} is described by the files of "${conflict.label}". Leave it out, or pass --take-over`
    )
  }
  if (drift === 'fail' && hasDrift(plan)) {
    terminal.show(formatPlan(plan, title))
    throw new ConflictError(
      `nothing was changed: members were changed by hand since they were applied. Run ${suggest('pull')} to keep them, or pass --drift put-back`
    )
  }
}

function describeSource({ source: { repository, commit }, label }: OpenPlan): string {
  if (repository === undefined && commit === undefined) return `From the files of "${label}".`
  return `From ${[repository, commit].filter(Boolean).join(' at ')}.`
}

/** Returns a function that reports the progress of a long apply on a terminal. */
function progressOf({ terminal: { isTerminal, ask, now, notice } }: Session): (done: number, total: number) => void {
  let last = now()
  return (done, total) => {
    // Standard error can be a terminal while standard output is a file.
    if (!(isTerminal || ask) || now() - last < PROGRESS_MS) return
    last = now()
    notice(`${done} of ${total}`)
  }
}

const PROGRESS_MS = 2000
