import { suggestion } from './nearest.ts'

/**
 * One setting, declared once: its flag, environment variable, default, parser and help come from here. Flag and variable are
 * named after the member of `Settings` that holds it: `publicUrl` is `--public-url` and `<PREFIX>PUBLIC_URL`.
 */
export interface Setting<Value = unknown> {
  /** What help and error messages say about it: a sentence or two. */
  readonly help: string
  /** Converts its text. Returns `undefined`, or throws an error that says why, when the text is unusable. */
  readonly parse: (text: string) => Value | undefined
  /** The text that applies when neither a flag nor a variable is given; empty if omitted. */
  readonly default?: string
  /** A flag of another name, as in `--api-url`; `false` for none, as for secrets: other users of a computer can see flags. */
  readonly flag?: `--${string}` | false
  /** A variable of another name; `false` for none. */
  readonly variable?: string | false
  /** `switch`: the flag takes no value and means `true`. `list`: the flag can be repeated, and each text is parsed alone. */
  readonly kind?: 'switch' | 'list'
  /** What stands for the value in help, as in `<number>`; `text` if omitted. */
  readonly placeholder?: string
  /** Keeps its text out of messages. */
  readonly isSecret?: true
  /** Ignores an empty flag or variable instead of parsing it. */
  readonly ignoresEmpty?: true
}

/** Settings by name. */
export type Settings = Readonly<Record<string, Setting>>

/** What settings parse to, by name. */
export type Values<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends { readonly kind: 'list' }
    ? readonly Exclude<ReturnType<S[Name]['parse']>, undefined>[]
    : Exclude<ReturnType<S[Name]['parse']>, undefined>
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Settings or arguments are unusable; the message says which, and what would be right. Programs end with exit code 2. */
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

/** Parses any text. */
export function parseText(text: string): string {
  return text
}

/** Parses `true`, `1`, `false` and `0`; empty is off. */
export function parseOnOff(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return ['', '0', 'false'].includes(text) ? false : undefined
}

/** Parses whole numbers within these bounds, which are included. */
export function parseInteger(min: number, max: number = Number.MAX_SAFE_INTEGER): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }
}

/** A setting as documentation lists it. */
export interface SettingRow {
  readonly name: string
  readonly flag: `--${string}` | undefined
  readonly variable: string | undefined
  readonly default: string
  readonly help: string
}

/** Lists settings with their resolved flags and variables; the prefix is as in `BURGEE_`. */
export function describeSettings(settings: Settings, prefix: string): readonly SettingRow[] {
  return Object.entries(settings).map(([name, setting]) => {
    const { flag, variable, default: standard = '', help, kind } = setting
    return {
      name,
      flag:
        flag === false ? undefined : (flag ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
      // An environment variable has one text.
      variable:
        variable === false || kind === 'list'
          ? undefined
          : (variable ?? `${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`),
      default: standard,
      help
    }
  })
}

/**
 * Returns a warning for each environment variable that starts with the prefix and is no setting: a misspelled one would
 * otherwise have no effect and no one would notice.
 * @param known Variables of that prefix that other programs read.
 */
export function unknownVariables(
  settings: Settings,
  prefix: string,
  environment: Environment,
  known: readonly string[] = []
): readonly string[] {
  const names = [...describeSettings(settings, prefix).flatMap(({ variable }) => variable ?? []), ...known]
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !names.includes(name))
    .map((name) => `${name} is not a setting${suggestion(name, names)}`)
}
