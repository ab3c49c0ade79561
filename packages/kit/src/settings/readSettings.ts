import { readFileSync } from 'node:fs'
import {
  describeSettings,
  type Environment,
  type Setting,
  type SettingRow,
  type Settings,
  UsageError,
  type Values
} from './setting.ts'

/** The sources of settings: texts of flags by the name of the setting, and the environment. */
interface Given {
  readonly flags: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly environment: Environment
  /** The prefix of variables, for example `BURGEE_`. */
  readonly prefix: string
}

/**
 * Reads settings: flags take precedence over environment variables, and those over defaults. Empty variables are unset.
 * A secret can also be in a file that a variable names.
 * @throws {UsageError} on the first invalid value, and on a file that cannot be read.
 */
export function readSettings<S extends Settings>(settings: S, given: Given): Values<S> {
  const rows = describeSettings(settings, given.prefix)
  // Each setting parsed its own value.
  return Object.fromEntries(rows.map((row) => [row.name, readSetting(settings[row.name], row, given)])) as Values<S>
}

function readSetting(setting: Setting | undefined, row: SettingRow, { flags, environment }: Given): unknown {
  if (!setting) return undefined
  const flag = flags[row.name]
  if (setting.kind === 'list') {
    return [flag ?? []].flat().map((text) => parse(setting, text, row.flag ?? row.name))
  }
  const [typed] = [flag].flat()
  if (typed !== undefined && !(setting.ignoresEmpty && typed === '')) return parse(setting, typed, row.flag ?? row.name)
  // An empty variable counts as unset.
  const variable = row.variable === undefined ? '' : environment[row.variable]
  const path = row.fileVariable === undefined ? '' : environment[row.fileVariable]
  if (row.fileVariable !== undefined && path) {
    if (variable) throw new UsageError(`set either ${row.variable} or ${row.fileVariable}, not both`)
    return parse(setting, readSecret(path, row.fileVariable), `the content of ${row.fileVariable}`)
  }
  if (variable) return parse(setting, variable, row.variable ?? row.name)
  return parse(setting, row.default, row.flag ?? row.variable ?? row.name)
}

/** Returns the content of a file without the newline at its end, which most editors add. */
function readSecret(path: string, variable: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new UsageError(`the file of ${variable} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause
    })
  }
  // An empty text would count as no secret at all.
  if (text === '') throw new UsageError(`the file of ${variable} is empty: ${path} should contain the secret`)
  return text
}

function parse({ parse, help, isSecret, kind }: Setting, text: string, source: string): unknown {
  let reason = kind === 'switch' ? ': it should be true or false' : ''
  try {
    const value = parse(text)
    if (value !== undefined) return value
  } catch (error) {
    const isShown = error instanceof UsageError || (error instanceof Error && !isSecret)
    reason = isShown ? `: ${error.message}` : ''
  }
  const shown = isSecret ? 'the given text' : JSON.stringify(maskCredentials(text))
  throw new UsageError(`${source} cannot be ${shown}${reason}. ${help.replace(/ Required\.$/, '')}`)
}

/** Replaces the user and the password of an address. */
function maskCredentials(text: string): string {
  return text.replace(/(:\/\/)[^/?#]*@/g, '$1<credentials>@')
}
