import type { Environment } from '@burgee/kit/settings'

/** What a command was given and the next one needs, too. */
interface GivenConnection {
  readonly server?: string
  readonly profile?: string
  readonly project?: string
}

/** Returns a command for a person to type, with the server, the profile and the project that were given to this one. */
export function suggestCommand(words: string, given: GivenConnection, environment: Environment): string {
  const flags = (['server', 'profile', 'project'] as const).flatMap((name) => {
    const value = given[name]
    return !value || environment[variables[name]] === value ? [] : [`--${name} ${quoteWord(value)}`]
  })
  return ['burgee', words, ...flags].join(' ')
}

/** What these variables set applies to the next command anyway. */
const variables = { server: 'BURGEE_URL', profile: 'BURGEE_PROFILE', project: 'BURGEE_PROJECT' } as const

/** Quotes a word for a shell, where needed. */
export function quoteWord(word: string): string {
  return /^[\w@:./,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
