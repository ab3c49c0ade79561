import { optionalChoice, parseBoolean, parseText } from '@burgee/kit/settings'
import { driftModes } from '../../plan/difference/createPlan.ts'
import type { Session } from '../../run/session.ts'

/** The folder of the files, if none is given. */
export const DEFAULT_PATH = 'flags'

/** Returns the paths of the files: the given ones, else those of the repository, else the usual folder. */
export function pathsOf(given: readonly string[], { repository }: Pick<Session, 'repository'>): readonly string[] {
  return given.length > 0 ? given : (repository.state?.files ?? [DEFAULT_PATH])
}

/** Returns a folder as sentences name it. */
export function nameFolder(folder: string): string {
  return /^\.+[\\/]*$/.test(folder) ? `the folder "${folder}"` : folder
}

/** The positional arguments of commands that read files. */
export const filesArgument = ['[files...]'] as const

export const filesHelp = `Files are YAML or JSON, and folders are searched for them. Without any, those\nof state.files in burgee.yaml, else the folder ${DEFAULT_PATH}.`

/** The settings of commands that compare files with a project. */
export const compareSettings = {
  only: {
    kind: 'list',
    placeholder: 'path',
    help: 'Only what is below this path, such as features.new-checkout or features.*.environments.production. Repeatable.',
    parse: (text: string) => (text === '' ? undefined : text)
  },
  drift: {
    variable: false,
    placeholder: 'mode',
    help: 'What to do with members that were changed by hand since they were applied: put-back (the default), keep, or fail.',
    ...optionalChoice(driftModes)
  },
  allowDelete: {
    kind: 'switch',
    variable: false,
    help: 'Delete what the files no longer describe, if manage.onRemoved is delete.',
    parse: parseBoolean
  },
  takeOver: {
    kind: 'switch',
    variable: false,
    help: 'Take over members that the files of another label describe.',
    parse: parseBoolean
  }
} as const

/** The settings of commands that apply files. */
export const applySettings = {
  message: { short: '-m', variable: false, help: 'What the change is for, for reviewers.', parse: parseText },
  failFast: { kind: 'switch', variable: false, help: 'Stop after the first failure.', parse: parseBoolean },
  force: {
    kind: 'switch',
    variable: false,
    help: 'Delete features even if they are on.',
    parse: parseBoolean
  }
} as const
