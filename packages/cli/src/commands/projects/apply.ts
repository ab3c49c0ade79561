import { readFile } from 'node:fs/promises'
import { UsageError } from '@burgee/kit/settings'
import type { ReferenceIssue } from '../../document/projectDocument.ts'
import type { DriftMode } from '../../plan/difference/createPlan.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError } from '../../run/failures/errors.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, projectSettings } from '../../run/settings.ts'
import { applySettings, compareSettings, filesArgument, filesHelp, pathsOf } from './fileSettings.ts'
import { runPlan } from './runPlan.ts'

/** `burgee apply` */
export const apply = apiCommand({
  name: 'apply',
  summary: 'Apply files to a project, after showing what changes.',
  arguments: filesArgument,
  settings: { ...compareSettings, ...applySettings, ...projectSettings, ...confirmationSettings },
  details: [
    filesHelp,
    '',
    'Shows the plan and asks for confirmation. Changes of a feature are applied all or',
    'none. After a failure, continues with independent changes, and exits with 10; if',
    'the only change fails, with the exit code of its failure. To finish, run it again.',
    'Changes that need approval become change requests (exit code 8). Ctrl-C finishes',
    'the current change first.',
    '',
    'Examples:',
    '  burgee apply flags',
    '  burgee plan flags --out plan.json && burgee apply plan.json --yes'
  ].join('\n'),
  run: async ({ arguments: files, settings }, session) => {
    const paths = pathsOf(files, session)
    const { allowDelete, takeOver, message, failFast, force, only } = settings
    const drift = settings.drift || 'put-back'
    const opened = await openFiles(session, paths, { allowDelete, takeOver, drift, only })
    return runPlan(session, opened, { takeOver: opened.takeOver, drift: opened.drift, message, failFast, force })
  }
})

interface OpenOptions {
  readonly allowDelete: boolean
  readonly takeOver: boolean
  readonly drift: DriftMode
  readonly only: readonly string[]
}

/** Opens the plan of files, or a saved one. @throws {ConflictError} if a saved plan is outdated. */
async function openFiles(session: Session, paths: readonly string[], options: OpenOptions) {
  const { describeIssue, readFilesWithIssues } = await import('../../document/read/readFiles.ts')
  const { openPlan } = await import('../../plan/openPlan.ts')
  const { parseSavedPlan, planDigest } = await import('../../plan/savedPlan.ts')
  const [path = ''] = paths
  const isJson = paths.length === 1 && path.endsWith('.json')
  const saved = isJson ? parseSavedPlan(path, await readText(path)) : undefined
  if (!saved) {
    const opened = await openPlan(session, await readFilesWithIssues(paths, session.suggest), { paths, ...options })
    return { ...opened, takeOver: options.takeOver, drift: options.drift }
  }
  if (options.only.length > 0) throw new UsageError(`--only has no effect on ${path}: pass it to burgee plan`)
  const described = {
    document: saved.document,
    project: saved.project,
    manage: saved.manage,
    files: [],
    issues: [],
    mayBeOmitted: () => false,
    placeOf: () => '',
    describeIssues: (issues: readonly ReferenceIssue[]) => issues.map(describeIssue)
  }
  const opened = await openPlan(session, described, { ...saved, into: saved.project })
  if (planDigest(opened) !== saved.digest) {
    throw new ConflictError(
      `nothing was changed: project ${saved.project} has changed since ${path} was made. Make the plan again`
    )
  }
  return { ...opened, takeOver: saved.takeOver, drift: saved.drift }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error
    })
  })
}
