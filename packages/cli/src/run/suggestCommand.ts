import type { Environment } from '@burgee/kit/settings'
import type { Suggest } from '../document/suggest.ts'
import { readRepositoryFile } from '../repository/repositoryFile.ts'
import { resolveServer } from './resolveServer.ts'
import type { Terminal } from './terminal.ts'

/** What a command was given and the next one needs, too. */
interface GivenConnection {
  readonly server?: string | undefined
  readonly profile?: string | undefined
  readonly project?: string | undefined
}

/** The suggestions of a command. */
export interface Suggestions {
  readonly suggest: Suggest
  /** Sets the project of suggested commands, if files name it: the next command may have another default. */
  readonly actOn: (project: string) => void
}

/** Returns the suggestions of a command with these settings. Everything that suggests a command uses them. */
export async function openSuggestions(
  given: GivenConnection,
  terminal: Pick<Terminal, 'environment' | 'profiles' | 'directory'>
): Promise<Suggestions> {
  const usual = await usualProject(given, terminal)
  let project = given.project
  return {
    suggest: (words) => suggestCommand(words, { ...given, project: project === usual ? '' : project }, terminal),
    actOn: (key) => {
      project = key
    }
  }
}

/** Returns the project of a command that names none. Invalid settings are reported elsewhere. */
async function usualProject(
  given: GivenConnection,
  terminal: Pick<Terminal, 'environment' | 'profiles' | 'directory'>
): Promise<string | undefined> {
  const { server = '', profile = '' } = given
  try {
    const [repository, resolved] = await Promise.all([
      readRepositoryFile(terminal.directory),
      resolveServer({ server, profile }, terminal)
    ])
    return terminal.environment.BURGEE_PROJECT || repository.project || resolved.profile?.project
  } catch {
    return undefined
  }
}

function suggestCommand(
  words: string,
  given: GivenConnection,
  { environment }: { readonly environment: Environment }
): string {
  const names = WITHOUT_PROJECT.test(words)
    ? (['server', 'profile'] as const)
    : (['server', 'profile', 'project'] as const)
  const flags = names.flatMap((name) => {
    const value = given[name]
    const isNamed = words.includes(` --${name} `)
    return !value || isNamed || environment[variables[name]] === value ? [] : [`--${name} ${quoteWord(value)}`]
  })
  return ['burgee', words, ...flags].join(' ')
}

/** The commands that take no `--project` or name it otherwise, although they call a server. */
const WITHOUT_PROJECT = /^(login|logout|whoami|projects (list|create))\b|^import .*--into /

/** What these variables set applies to the next command anyway. */
const variables = { server: 'BURGEE_URL', profile: 'BURGEE_PROFILE', project: 'BURGEE_PROJECT' } as const

/** Quotes a word for a shell, where needed. */
export function quoteWord(word: string): string {
  return /^[\w@:./,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
