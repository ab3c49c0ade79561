import { findNearest } from '../text/findNearest.ts'

/**
 * The declaration of a setting: its flag, environment variable, default, parser and help. Flag and variable are named
 * after the member of `Settings`: `publicUrl` is `--public-url` and `<PREFIX>PUBLIC_URL`.
 */
export interface Setting<Value = unknown> {
  /** The description in help and error messages: one or two sentences. */
  readonly help: string
  /**
   * Parses the text. Returns `undefined`, or throws an error with the reason, if the text is invalid. Messages contain
   * the reason. For a secret, they contain it only if it is a `UsageError`, which must not contain the text.
   */
  readonly parse: (text: string) => Value | undefined
  /** The text that applies when neither a flag nor a variable is given; empty if omitted. */
  readonly default?: string
  /**
   * Another name of the flag, for example `--api-url`; `false` for none, as for secrets, since process lists show
   * flags.
   */
  readonly flag?: `--${string}` | false
  /** The short form of the flag: `-e`. */
  readonly short?: `-${string}`
  /** Another name of the variable; `false` for none. */
  readonly variable?: string | false
  /**
   * `switch`: the flag takes no value and means `true`; the variable takes true or false. `list`: the flag can be repeated, and each text is parsed
   * alone.
   */
  readonly kind?: 'switch' | 'list'
  /** The value of a flag that is given without one: `true` for one that takes true or false. */
  readonly implied?: string
  /** The placeholder of the value in help, for example `<number>`; `text` if omitted. */
  readonly placeholder?: string
  /** What the default means, where help shows it: `all`. */
  readonly defaultWords?: string
  /** The texts that it accepts, if these are few; completion offers them. */
  readonly choices?: readonly string[]
  /** The heading of its flag in help; that of all options if omitted. */
  readonly heading?: string
  /** Keeps its text out of messages, and reads it from the file that `<variable>_FILE` names, if that is set. */
  readonly isSecret?: true
  /** Ignores an empty flag instead of parsing it, as an empty variable always is. */
  readonly ignoresEmpty?: true
}

/** Settings by name. */
export type Settings = Readonly<Record<string, Setting>>

/** The parsed values of settings, by name. */
export type Values<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends { readonly kind: 'list' }
    ? readonly Exclude<ReturnType<S[Name]['parse']>, undefined>[]
    : Exclude<ReturnType<S[Name]['parse']>, undefined>
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown for invalid settings or arguments; the message names them and the expectation. Programs exit with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns some of the settings. */
export function pickSettings<S extends Settings, Name extends keyof S>(
  settings: S,
  ...names: readonly Name[]
): Pick<S, Name> {
  // Each name is one of the members.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as Pick<S, Name>
}

/** Returns the text. */
export function parseText(text: string): string {
  return text
}

/** Parses `true`, `1`, `false` and `0`; an empty text is false. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return ['', '0', 'false'].includes(text) ? false : undefined
}

/** Returns a parser of whole numbers from `min` to `max`, both included. */
export function parseInteger(min: number, max: number = Number.MAX_SAFE_INTEGER): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }
}

/** A setting as help and documentation list it. */
export interface SettingRow {
  readonly name: string
  readonly flag: `--${string}` | undefined
  readonly variable: string | undefined
  /** The variable that names a file with the text of a secret. */
  readonly fileVariable?: string
  readonly default: string
  readonly help: string
}

/** Lists settings with their flags and variables. @param prefix As in `BURGEE_`. */
export function describeSettings(settings: Settings, prefix: string): readonly SettingRow[] {
  return Object.entries(settings).map(([name, setting]) => {
    const { flag, default: defaultText = '', help, isSecret } = setting
    const variable = variableOf(name, setting, prefix)
    // A program can declare the setting of the file itself.
    const hasFileVariable = isSecret && variable !== undefined && !(`${name}File` in settings)
    return {
      name,
      flag:
        flag === false ? undefined : (flag ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
      variable,
      ...(hasFileVariable ? { fileVariable: `${variable}_FILE` } : {}),
      default: defaultText,
      help
    }
  })
}

function variableOf(name: string, { variable, kind }: Setting, prefix: string): string | undefined {
  // An environment variable has only one text.
  if (variable === false || kind === 'list') return undefined
  return variable ?? `${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** The prefixes of a program's environment variables. */
export interface VariableNames {
  /** The prefix of its environment variables: `BURGEE_`. */
  readonly prefix: string
  /** Variables with this prefix that other programs read. */
  readonly otherVariables?: readonly string[]
  /** A prefix of its variables that other programs use, too: `SERVICE_`. Can be `prefix` itself. */
  readonly sharedPrefix?: string
  /** The prefix of the variables of related programs: `BURGEE_`. */
  readonly familyPrefix?: string
}

/**
 * Returns a warning for each environment variable that starts with the prefix and is not a setting, and for each with
 * the shared or the family prefix that resembles a setting. Without it, a misspelled variable would have no effect,
 * unnoticed.
 */
export function unknownVariables(
  settings: Settings,
  { prefix, otherVariables = [], sharedPrefix, familyPrefix }: VariableNames,
  environment: Environment
): readonly string[] {
  const rows = describeSettings(settings, prefix)
  const own = rows
    .flatMap(({ variable, fileVariable }) => [variable, fileVariable])
    .filter((name) => name !== undefined)
  const names = [...own, ...otherVariables]
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name) || environment[name] === '') return []
    let nearest: string | undefined
    if (name.startsWith(prefix)) {
      // Compared without the prefix, which they have in common.
      const words = names.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length))
      const match = findNearest(name.slice(prefix.length), words)
      if (match === undefined && prefix === sharedPrefix) return []
      return [`${name} is not a setting${match === undefined ? '' : ` (did you mean ${prefix}${match}?)`}`]
    }
    if (sharedPrefix && name.startsWith(sharedPrefix)) nearest = findNearest(name, names)
    else if (familyPrefix && name.startsWith(familyPrefix)) {
      nearest = findByWords(name.slice(familyPrefix.length), own, [prefix, familyPrefix, sharedPrefix ?? ''])
    }
    return nearest === undefined ? [] : [`${name} is not a setting (did you mean ${nearest}?)`]
  })
}

/** Returns the variable that is the words with another prefix, else the first one that ends with them or is similar. */
function findByWords(words: string, variables: readonly string[], prefixes: readonly string[]): string | undefined {
  const byWords = new Map(
    variables.map((name) => [name.slice((prefixes.find((prefix) => name.startsWith(prefix)) ?? '').length), name])
  )
  const candidates = [...byWords.keys()]
  const match =
    candidates.find((each) => each === words) ??
    candidates.find((each) => words !== '' && each.endsWith(`_${words}`)) ??
    findNearest(words, candidates, MAX_TYPO_SHARE)
  return match === undefined ? undefined : byWords.get(match)
}

/** Related programs have settings with similar names, so only a misspelled one counts. */
const MAX_TYPO_SHARE = 0.2
