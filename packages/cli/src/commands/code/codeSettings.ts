import { collect } from '@burgee/contract/client'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { hasOneGroup } from '../../code/languages/hasOneGroup.ts'
import type { CodeScan, FileSelection } from '../../code/scanSource.ts'
import type { CodePattern, Wrapper } from '../../code/source/codeRead.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'

/** The settings of commands that search code. */
export const codeSettings = {
  include: {
    kind: 'list',
    placeholder: 'glob',
    help: 'Only these files, such as "src/**". Repeatable.',
    parse: parseText
  },
  exclude: { kind: 'list', placeholder: 'glob', help: 'Not these files. Repeatable.', parse: parseText },
  wrapper: {
    kind: 'list',
    placeholder: 'function',
    help: 'A wrapper function that takes a key: its name, and the position of the key if it is not the first argument (0), such as isOn or track:1. Repeatable.',
    parse: parseWrapper
  },
  codeClient: {
    kind: 'list',
    placeholder: 'name',
    help: 'The name of an object whose calls read variables, although no import says so. Repeatable.',
    parse: parseText
  },
  alias: {
    kind: 'list',
    placeholder: 'alias',
    help: 'An expression that resolves to a key, such as FLAGS.checkout=new-checkout. Repeatable.',
    parse: parseAlias
  },
  pattern: {
    kind: 'list',
    placeholder: 'pattern',
    help: 'A pattern for other kinds of files: a glob, and a regular expression whose group is the key, such as "*.erb=flag_on\\?\\(:([a-z-]+)\\)". Repeatable.',
    parse: parsePattern
  },
  offline: {
    kind: 'switch',
    variable: false,
    help: 'Do not ask the server which variables exist.',
    parse: parseBoolean
  },
  ...projectSettings
} as const

/** The parsed settings of a scan. */
export interface CodeOptions extends FileSelection {
  readonly wrapper: readonly Wrapper[]
  readonly codeClient: readonly string[]
  readonly alias: readonly (readonly [expression: string, key: string])[]
  readonly pattern: readonly CodePattern[]
}

/** Adds the settings of the repository to those of a command. */
export async function readCodeOptions<Options extends CodeOptions>(
  given: Options,
  { directory }: Pick<Terminal, 'directory'>
): Promise<Options> {
  const { readRepositoryFile } = await import('../../repository/repositoryFile.ts')
  const { scan = {} } = await readRepositoryFile(directory)
  const patterns = Object.entries(scan.patterns ?? {}).flatMap(([glob, list]) => {
    return list.map((expression) => ({ glob, expression }))
  })
  return {
    ...given,
    // Globs of a command select among the files of the repository.
    include: given.include.length > 0 ? given.include : (scan.include ?? []),
    exclude: [...given.exclude, ...(scan.exclude ?? [])],
    wrapper: [...given.wrapper, ...(scan.wrappers ?? []).map(({ name, key }) => ({ name, position: key }))],
    codeClient: [...given.codeClient, ...(scan.clients ?? [])],
    alias: [...Object.entries(scan.aliases ?? {}), ...given.alias],
    pattern: [...given.pattern, ...patterns]
  }
}

/** A variable of the project, as far as scans need it. */
export interface KnownVariable {
  readonly key: string
  readonly status: string
  readonly type: string
  readonly _feature?: string | undefined
}

/** Reads the variables of the project. */
export async function readVariables({ client, project }: Session): Promise<ReadonlyMap<string, KnownVariable>> {
  const variables = await collect(client.listVariables, { params: { project: project() } })
  return new Map(variables.map((variable) => [variable.key, variable]))
}

/** Writes what the parser passed over, so that nobody takes a scan for complete that is not. */
export function noticeProblems({ problems }: Pick<CodeScan, 'problems'>, notice: (line: string) => void): void {
  for (const { file, isSearched, message } of problems.slice(0, 10)) {
    notice(
      isSearched
        ? `${file} has a syntax error and was searched as far as possible: ${message}`
        : `${file} was not searched: ${message}`
    )
  }
  if (problems.length > 10) notice(`files with problems that are not listed: ${problems.length - 10}`)
}

function parseWrapper(text: string): Wrapper | undefined {
  const [, name, position = '0'] = /^([\w$.]+)(?::(\d))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, position: Number(position) }
}

function parsePattern(text: string): CodePattern | undefined {
  const [, glob, expression] = /^([^=]+)=(.+)$/.exec(text) ?? []
  return glob !== undefined && expression !== undefined && hasOneGroup(expression) ? { glob, expression } : undefined
}

function parseAlias(text: string): readonly [string, string] | undefined {
  const [, expression, key] = /^([\w$.]+)=(\S+)$/.exec(text) ?? []
  return expression === undefined || key === undefined ? undefined : [expression, key]
}

/** Asserts that at most one of two switches is given. @throws {UsageError} */
export function assertOnlyOne(given: Readonly<Record<string, boolean>>): void {
  const names = Object.keys(given).filter((name) => given[name])
  if (names.length > 1) throw new UsageError(`pass only one of ${names.join(' and ')}`)
}
