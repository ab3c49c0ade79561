import {
  describeSettings,
  type Environment,
  type Setting,
  type SettingRow,
  type Settings,
  UsageError,
  type Values
} from './setting.ts'

/** What was given for settings: texts of flags by the name of the setting, and the environment. */
export interface Given {
  readonly flags: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly environment: Environment
  /** Names variables, as in `BURGEE_`. */
  readonly prefix: string
}

/**
 * Reads settings: flags win over environment variables, and those over defaults.
 * @throws {UsageError} on the first that is unusable.
 */
export function readSettings<S extends Settings>(settings: S, given: Given): Values<S> {
  const rows = describeSettings(settings, given.prefix)
  // Every member has been parsed by its own setting.
  return Object.fromEntries(rows.map((row) => [row.name, readSetting(settings[row.name], row, given)])) as Values<S>
}

function readSetting(setting: Setting | undefined, row: SettingRow, { flags, environment }: Given): unknown {
  if (!setting) return undefined
  const flag = flags[row.name]
  const isGiven = (text: string | undefined) => text !== undefined && !(setting.ignoresEmpty && text === '')
  if (setting.kind === 'list') {
    return [flag ?? []].flat().map((text) => parse(setting, text, row.flag ?? row.name))
  }
  const [typed] = [flag].flat()
  if (typed !== undefined && isGiven(typed)) return parse(setting, typed, row.flag ?? row.name)
  const variable = row.variable === undefined ? undefined : environment[row.variable]
  if (variable !== undefined && isGiven(variable)) return parse(setting, variable, row.variable ?? row.name)
  return parse(setting, row.default, row.flag ?? row.variable ?? row.name)
}

function parse({ parse, help, isSecret }: Setting, text: string, source: string): unknown {
  let reason = ''
  try {
    const value = parse(text)
    if (value !== undefined) return value
  } catch (error) {
    reason = error instanceof Error ? `: ${error.message}` : ''
  }
  const shown = isSecret ? 'the text that was given' : JSON.stringify(text)
  throw new UsageError(`${source} cannot be ${shown}${isSecret ? '' : reason}. ${help}`)
}
