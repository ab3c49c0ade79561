import { parseBoolean, parseText } from '@burgee/kit/settings'
import { formatPath } from '../../document/members.ts'
import type { Outcome } from '../../output/outcome.ts'
import type { Plan } from '../../plan/difference/createPlan.ts'
import type { OpenPlan } from '../../plan/openPlan.ts'
import type { PreviewedItem } from '../../plan/previewPlan.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'
import { compareSettings, filesArgument, filesHelp, pathsOf } from './fileSettings.ts'

/** `burgee plan` */
export const plan = apiCommand({
  name: 'plan',
  summary: 'Show what burgee apply would change.',
  arguments: filesArgument,
  settings: {
    ...compareSettings,
    detailedExitCode: {
      kind: 'switch',
      variable: false,
      help: 'Exit with 1 if there are changes.',
      parse: parseBoolean
    },
    preview: {
      kind: 'switch',
      variable: false,
      help: 'Let the server check changes of features, and show who would get another variation. Needs feature:write.',
      parse: parseBoolean
    },
    markdown: { kind: 'switch', variable: false, help: 'Print Markdown, for a pull request.', parse: parseBoolean },
    out: { variable: false, placeholder: 'file', help: 'Save the plan, for burgee apply.', parse: parseText },
    ...projectSettings
  },
  details: `${filesHelp} Changes nothing.\n\nExits with 1 for changes with --detailed-exit-code, and for changes by hand with\n--drift fail; with 6 for members that the files of another label describe; with\n7 for changes that the server would refuse, with --preview.\n\nExample:\n  burgee plan flags --detailed-exit-code`,
  run: async ({ arguments: files, settings }, session) => {
    const { readFilesWithIssues } = await import('../../document/read/readFiles.ts')
    const { openPlan } = await import('../../plan/openPlan.ts')
    const paths = pathsOf(files, session)
    const { allowDelete, takeOver, out, markdown, detailedExitCode, only } = settings
    const drift = settings.drift || 'put-back'
    const described = await readFilesWithIssues(paths, session.suggest)
    const opened = await openPlan(session, described, { paths, allowDelete, drift, only })
    if (out !== '') {
      const { writeSavedPlan } = await import('../../plan/savedPlan.ts')
      await writeSavedPlan(out, opened, { manage: described.manage, paths, allowDelete, drift, takeOver, only })
    }
    const previews = settings.preview ? await previewOf(session, opened) : []
    const isRefused = previews.some(({ outcome }) => outcome === 'refused')
    const exitCode = isRefused
      ? exitCodes.invalid
      : await exitCodeOfPlan(opened.plan, { drift, takeOver, detailedExitCode })
    if (markdown) {
      const { formatMarkdown } = await import('../../plan/formatPlan.ts')
      session.terminal.write(`${formatMarkdown(opened.plan, opened.title, previews, takeOver)}\n`)
      return { data: undefined, text: () => '', exitCode }
    }
    return { ...(await describePlan(opened, previews, takeOver)), exitCode }
  }
})

async function previewOf(session: Session, opened: OpenPlan): Promise<readonly PreviewedItem[]> {
  const { previewPlan } = await import('../../plan/previewPlan.ts')
  return previewPlan(session, opened)
}

async function exitCodeOfPlan(
  plan: Plan,
  options: { readonly drift: string; readonly takeOver: boolean; readonly detailedExitCode: boolean }
): Promise<number> {
  const { hasDrift } = await import('../../plan/difference/createPlan.ts')
  const { changes, conflicts } = plan
  if (conflicts.length > 0 && !options.takeOver) return exitCodes.conflict
  if (options.drift === 'fail' && hasDrift(plan)) return exitCodes.found
  return options.detailedExitCode && changes.length > 0 ? exitCodes.found : exitCodes.done
}

/** Returns a plan for programs and for people. */
async function describePlan(
  { project, label, plan, title }: OpenPlan,
  previews: readonly PreviewedItem[],
  takeOver: boolean
): Promise<Outcome> {
  const { formatPlan } = await import('../../plan/formatPlan.ts')
  const { maskMember } = await import('../../plan/project/webhooks.ts')
  const changes = plan.changes.map(({ section, key, action, members, onIn }) => ({
    resource: formatPath([section, key]),
    action,
    ...(onIn && { onIn }),
    members: members.map(({ path, before, after, isDrift }) => {
      const [shownBefore, shownAfter] = [before, after].map((value) => maskMember(section, path, value))
      return { path: path.join('.'), before: shownBefore, after: shownAfter, isDrift }
    })
  }))
  const kept = plan.kept.map(({ section, key, path, reason }) => ({
    resource: formatPath([section, key, ...path]),
    reason
  }))
  const conflicts = plan.conflicts.map(({ section, key, path, label: owner }) => ({
    resource: formatPath([section, key, path]),
    label: owner
  }))
  return {
    data: { project, label, changes, kept, conflicts, ...(previews.length > 0 && { previews }) },
    text: () => formatPlan(plan, title, previews, takeOver)
  }
}
