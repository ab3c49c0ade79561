import { formatPath } from '../../document/members.ts'
import { formatCount } from '../../output/formatCount.ts'
import type { Outcome } from '../../output/outcome.ts'
import type { DriftMode } from '../../plan/createPlan.ts'
import type { OpenPlan } from '../../plan/openPlan.ts'
import { ConflictError } from '../../run/errors.ts'
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
  const { applyPlan, exitCodeOf, managedAfter } = await import('../../plan/applyPlan.ts')
  const { formatApplied, formatPlan } = await import('../../plan/formatPlan.ts')
  const { hasDrift } = await import('../../plan/createPlan.ts')
  const { claims, describedResources, differences, isOvertaken, openManagementLog } = await import(
    '../../plan/management.ts'
  )
  assertAllowed()
  if (plan.changes.length > 0) {
    session.terminal.show(formatPlan(plan, opened.title))
    await session.confirm(`Apply ${formatCount(plan.changes.length, 'change')} to ${project}?`)
  }
  const log = openManagementLog(session, opened)
  const described = describedResources(files, opened)
  const kept = { described, before: log.before, isSelected: opened.isSelected }
  if (plan.changes.length === 0) {
    const changed = differences(managedAfter(plan, [], kept), log.before)
    const isNewCommit = source.commit !== undefined && source.commit !== log.before.commit
    if (changed.length > 0 || isNewCommit) await log.write(changed, options.takeOver)
    const result = { project, items: [] }
    return { data: result, text: () => formatPlan(plan, opened.title) }
  }
  await log.write(claims(described, log.before), options.takeOver).catch((error: unknown) => {
    if (!isOvertaken(error)) throw error
    throw new ConflictError(
      `nothing was changed: another burgee apply of "${label}" started meanwhile. Run burgee plan, then apply again`
    )
  })
  const description = [options.message, describeSource()].filter(Boolean).join('\n')
  const { items, exitCode } = await session.terminal.interruptible(async (interruption) => {
    const context = { session, files, server, label, description, force: options.force }
    const applied = await applyPlan(plan, context, { interruption, failFast: options.failFast, onProgress: progress() })
    return { items: applied, exitCode: exitCodeOf(applied, interruption) }
  })
  const after = managedAfter(plan, items, kept)
  const isRecorded = await log.write(after).then(
    () => true,
    (error: unknown) => {
      if (!isOvertaken(error)) throw error
      return false
    }
  )
  if (!isRecorded)
    session.terminal.notice(`another burgee apply of "${label}" started meanwhile: run burgee plan to see what is left`)
  const isUnfinished = items.some(({ outcome }) => outcome !== 'applied' && outcome !== 'requested')
  const next = isUnfinished ? '\nWhat is done stays. To finish, run burgee apply again.' : ''
  return {
    data: { project, items },
    text: () => `${formatApplied(items)}${next}`,
    exitCode
  }

  function assertAllowed(): void {
    const [conflict] = plan.conflicts
    if (conflict && !options.takeOver) {
      session.terminal.show(formatPlan(plan, opened.title))
      const name = formatPath([conflict.section, conflict.key, conflict.path])
      throw new ConflictError(
        `nothing was changed: ${name} is described by the files of "${conflict.label}". Leave it out, or give --take-over`
      )
    }
    if (options.drift === 'fail' && hasDrift(plan)) {
      session.terminal.show(formatPlan(plan, opened.title))
      throw new ConflictError(
        'nothing was changed: members were changed by hand since they were applied. Run burgee pull to keep them, or give --drift put-back'
      )
    }
  }

  function describeSource(): string {
    const { repository, commit } = source
    if (repository === undefined && commit === undefined) return `From the files of "${label}".`
    return `From ${[repository, commit].filter(Boolean).join(' at ')}.`
  }

  /** Tells people how far long work is. */
  function progress() {
    const { isTerminal, now, notice } = session.terminal
    let last = now()
    return (done: number, total: number) => {
      if (!isTerminal || now() - last < PROGRESS_MS) return
      last = now()
      notice(`${done} of ${total}`)
    }
  }
}

const PROGRESS_MS = 2000
