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
  /** The prefix of variables, as in `BURGEE_`. */
  readonly prefix: string
}

/**
 * Reads settings: flags take precedence over environment variables, and those over defaults. Empty variables are unset.
 * @throws {UsageError} on the first invalid value.
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
  if (variable) return parse(setting, variable, row.variable ?? row.name)
  return parse(setting, row.default, row.flag ?? row.variable ?? row.name)
}

function parse({ parse, help, isSecret, kind }: Setting, text: string, source: string): unknown {
  let reason = kind === 'switch' ? ': it should be true or false' : ''
  try {
    const value = parse(text)
    if (value !== undefined) return value
  } catch (error) {
    reason = error instanceof Error ? `: ${error.message}` : ''
  }
  const shown = isSecret ? 'the given text' : JSON.stringify(text)
  throw new UsageError(`${source} cannot be ${shown}${isSecret ? '' : reason}. ${help}`)
}
