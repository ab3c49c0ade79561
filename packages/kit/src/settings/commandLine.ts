import { Command as Commander, type CommanderError, Option } from 'commander'
import { suggestion } from '../text/findNearest.ts'
import { helpLayout, wrapText } from './helpLayout.ts'
import { assertKnownCommand, pathOf, unknownCommand } from './knownCommand.ts'
import { readSettings } from './readSettings.ts'
import {
  describeSettings,
  type Environment,
  type Settings,
  UsageError,
  unknownVariables,
  type Values,
  type VariableNames
} from './setting.ts'

/** A command of a program. `Context` has the dependencies that `run` receives. */
export interface Command<Context> {
  /** As users type it: `login`, `users add`. Empty for the main command, which runs if none is given. */
  readonly name: string
  readonly summary: string
  /** Positional arguments in the notation of commander: `<email>`, `[key]`, `<id...>`. */
  readonly arguments?: readonly string[]
  readonly settings: Settings
  /** Hides the command in help: other programs call it. */
  readonly isHidden?: true
  /** Text at the end of the help. */
  readonly details?: string
  /** Returns the exit code. */
  readonly run: (given: GivenTo<Settings>, context: Context) => Promise<number>
}

interface GivenTo<S extends Settings> {
  readonly arguments: readonly string[]
  readonly settings: Values<S>
}

/** Declares a command whose `run` receives the values of the settings that it declares. */
export function command<const S extends Settings, Context>(
  declared: Omit<Command<Context>, 'settings' | 'run'> & {
    readonly settings: S
    readonly run: (given: GivenTo<S>, context: Context) => Promise<number>
  }
): Command<Context> {
  // `run` receives only values that were parsed for these settings.
  return declared as unknown as Command<Context>
}

/** A program with commands. */
export interface Program<Context> extends VariableNames {
  /** As users type it: `burgee-mcp`. */
  readonly name: string
  readonly version: string
  /** The command that runs if none is given. */
  readonly main: Command<Context>
  /**
   * Settings of commands whose flags can also precede the command: `burgee --profile work flags list`. The help of the
   * program leaves them out.
   */
  readonly shared?: Settings
  readonly commands: readonly Command<Context>[]
  /** Summaries of command groups by the first word: `users` of `users add`. */
  readonly groups?: Readonly<Record<string, string>>
  /** The headings of commands in the help, in order, with the first words of the commands below each. */
  readonly sections?: Readonly<Record<string, readonly string[]>>
}

/** A parsed command line: text to print (help or the version), or a command to run. */
type CommandLine<Context> =
  | { readonly type: 'print'; readonly text: string }
  | {
      readonly type: 'run'
      readonly command: Command<Context>
      readonly given: GivenTo<Settings>
      /** A sentence for each environment variable that looks like a setting and is none. */
      readonly warnings: readonly string[]
      /** Returns the exit code. */
      readonly run: (context: Context) => Promise<number>
    }

/**
 * Parses a command line without running it.
 * @throws {UsageError} on an unknown flag or command, with the nearest known name, and on an invalid value.
 */
export function parseCommandLine<Context>(
  program: Program<Context>,
  args: readonly string[],
  environment: Environment
): CommandLine<Context> {
  let printed: string | undefined
  let chosen: Chosen<Context> | undefined
  const root = new Commander(program.name)
    .version(program.version, '-V, --version', 'Print the version.')
    .configureOutput({ writeOut: (text) => (printed = `${printed ?? ''}${text}`), writeErr: () => {} })
    .configureHelp({ ...helpLayout, subcommandTerm: formatUsage })
    // Flags after a command belong to the command.
    .enablePositionalOptions()
  const declare = (on: Commander, command: Command<Context>) => {
    declareCommand(on, command, program.prefix).action(() => {
      chosen = { command, parsed: on }
    })
  }
  // `assertKnownCommand` rejects unknown commands, with a suggestion.
  declare(withUsageErrors(root).allowExcessArguments(), program.main)
  declareFlags(root, program.shared ?? {}, program.prefix, 'hidden')
  for (const command of program.commands) {
    const commander = commanderAt(root, command.name, command.isHidden)
    if (isReachable(command, args)) declare(commander, command)
  }
  for (const [word, summary] of Object.entries(program.groups ?? {})) commanderAt(root, word).description(summary)
  for (const [heading, words] of Object.entries(program.sections ?? {})) {
    for (const word of words) commanderAt(root, word).helpGroup(`${heading}:`)
  }
  try {
    const start = indexOfCommand(program, args)
    const leading = args.slice(0, start)
    const [first, ...words] = args.slice(start)
    const isHelp = first === 'help' && !isTopic(program, words)
    const line = [...leading, ...(isHelp ? [...words, '--help'] : withImpliedValues(program, args.slice(start)))]
    if (!program.main.arguments) assertKnownCommand(root, line)
    root.parse(line, { from: 'user' })
  } catch (error) {
    // Commander throws after printing help or the version, too.
    if (printed === undefined || error instanceof UsageError) throw error
    return { type: 'print', text: printed.trimEnd() }
  }
  if (!chosen) throw new UsageError(`a command is missing. See ${program.name} --help`)
  return resolveCommand(chosen, program, root, environment)
}

/** Returns the index of the first word after the flags that precede the command. */
function indexOfCommand({ main, shared, prefix }: Program<never>, args: readonly string[]): number {
  const settings = { ...main.settings, ...shared }
  const withValue = new Set<string>(
    describeSettings(settings, prefix).flatMap(({ name, flag }) => {
      const { kind, short } = settings[name] ?? {}
      return kind === 'switch' ? [] : [flag, short].filter((each) => each !== undefined)
    })
  )
  const start = args.findIndex((arg, index) => !arg.startsWith('-') && !withValue.has(args[index - 1] ?? ''))
  return start === -1 ? args.length : start
}

/** Adds the value to a flag that implies one, unless one of its choices follows: a positional argument is no value. */
function withImpliedValues({ commands, prefix }: Pick<Program<never>, 'commands' | 'prefix'>, args: readonly string[]) {
  const called = commands.filter(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  const { settings = {} } = called.sort((one, other) => other.name.length - one.name.length)[0] ?? {}
  const implied = new Map(
    describeSettings(settings, prefix).flatMap(({ name, flag }) => {
      const setting = settings[name]
      return flag === undefined || setting?.implied === undefined ? [] : [[flag as string, setting] as const]
    })
  )
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, index) => {
    const setting = index < end ? implied.get(arg) : undefined
    const isFollowed = setting?.choices?.includes(args[index + 1] ?? '') ?? true
    return isFollowed ? arg : `${arg}=${setting?.implied}`
  })
}

/**
 * Whether the words after `help` name a topic: a command such as `help output`. Otherwise they name a command.
 * @throws {UsageError} if they name neither.
 */
function isTopic(
  { commands, name }: Pick<Program<never>, 'commands' | 'name'>,
  [word = '-']: readonly string[]
): boolean {
  const topics = commands.flatMap((each) => /^help (.+)$/.exec(each.name)?.[1] ?? [])
  const groups = commands.map((each) => each.name.split(' ')[0] ?? '')
  if (topics.includes(word)) return true
  if (word.startsWith('-') || groups.includes(word)) return false
  const kinds = topics.length > 0 ? 'command or topic' : 'command'
  throw new UsageError(`there is no ${kinds} '${word}'${suggestion(word, [...topics, ...groups])}. See ${name} --help`)
}

/**
 * Parses flags and environment variables without commands.
 * @throws {UsageError} on an unknown flag, with the nearest known name, and on an invalid value.
 */
export function parseSettings<const S extends Settings>(
  settings: S,
  { name, prefix }: Pick<Program<unknown>, 'name' | 'prefix'>,
  args: readonly string[],
  environment: Environment
): Values<S> {
  const commander = withUsageErrors(new Commander(name))
    .configureOutput({ writeErr: () => {} })
    .helpOption(false)
  declareFlags(commander, settings, prefix)
  commander.parse([...args], { from: 'user' })
  return readSettings(settings, { flags: flagsIn(commander, settings, prefix), environment, prefix })
}

interface Chosen<Context> {
  readonly command: Command<Context>
  readonly parsed: Commander
}

/**
 * Whether these arguments can run a command or list it in a help text: they have the words of its groups. To declare all
 * commands of a large program would take most of the time of its start.
 */
function isReachable({ name }: Command<never>, args: readonly string[]): boolean {
  return name
    .split(' ')
    .slice(0, -1)
    .every((word) => args.includes(word))
}

/** Returns the commander of a command name; all words but the last are groups. */
function commanderAt(root: Commander, name: string, hidden = false): Commander {
  return name.split(' ').reduce((parent, word) => {
    return parent.commands.find((known) => known.name() === word) ?? withUsageErrors(parent.command(word, { hidden }))
  }, root)
}

/** Formats a command for a list of commands: `compare [key]`. All commands have options, so these are left out. */
function formatUsage(commander: Commander): string {
  const positionals = commander.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [commander.name(), ...positionals].join(' ')
}

/** Makes a commander throw usage errors instead of exiting the process. */
function withUsageErrors(commander: Commander): Commander {
  return (
    commander
      .addHelpOption(helpOption())
      .helpCommand(false)
      // `suggestion` is used instead, as for environment variables.
      .showSuggestionAfterError(false)
      .allowExcessArguments(false)
      .exitOverride((error) => {
        throw error.exitCode === 0 ? error : toUsageError(error, commander)
      })
  )
}

function helpOption(): Option {
  return new Option('-h, --help', 'Print this text.')
}

function toUsageError({ code, message }: CommanderError, commander: Commander): UsageError {
  const path = pathOf(commander)
  if (code === 'commander.help') {
    const visible = commander.createHelp().visibleCommands(commander)
    const commands = visible.map((each) => each.name()).join(', ')
    return new UsageError(`${commander.name()} needs a command: ${commands}. See ${path} --help`)
  }
  const [first = ''] = commander.args
  // A command can be a group, too: its first argument is the name of a command in it.
  if (
    code === 'commander.excessArguments' &&
    commander.commands.length > 0 &&
    commander.registeredArguments.length === 0
  ) {
    return unknownCommand(commander, first)
  }
  const reason = message.replace(/^error: /, '').replace(/\.$/, '')
  const [, word = ''] = /^unknown \w+ '([^'=]*)/.exec(reason) ?? []
  const flag = commander.options.find(({ long }) => long === word)
  if (flag) {
    const variable = flag.envVar === undefined ? '' : `; ${flag.envVar} takes true or false`
    return new UsageError(`${word} takes no value${variable}. See ${path} --help`)
  }
  const known = word.startsWith('-')
    ? [...commander.options.flatMap(({ long }) => long ?? []), '--help']
    : commander.commands.map((each) => each.name())
  return new UsageError(`${reason}${suggestion(word, known)}. See ${path} --help`)
}

function declareCommand<Context>(
  commander: Commander,
  { summary, arguments: positionals = [], settings, details }: Command<Context>,
  prefix: string
): Commander {
  commander.description(summary)
  for (const argument of positionals) commander.argument(argument)
  declareFlags(commander, settings, prefix)
  const rows = describeSettings(settings, prefix)
  // Commander lists help after all other options, in its own group: that of the last of them.
  const lastHeading = Object.values(settings).findLast(hasHeading)?.heading
  if (lastHeading !== undefined) commander.addHelpOption(helpOption().helpGroup(`${lastHeading}:`))
  const variables = rows
    .filter(({ flag }) => flag === undefined)
    .map(
      ({ variable, help }) =>
        () =>
          `  ${variable}\n${wrapText(help, commander, '    ')}`
    )
  const addText = (format: () => string) => commander.addHelpText('after', () => `\n${format()}`)
  if (rows.some(({ name, flag, variable }) => settings[name]?.kind === 'switch' && flag && variable))
    addText(() => wrapText('Flags without <…> take no value; their variables take true or false.', commander))
  if (variables.length > 0) addText(() => ['Environment:', ...variables.map((format) => format())].join('\n'))
  const fileVariables = rows.flatMap(({ fileVariable }) => fileVariable ?? [])
  if (fileVariables.length > 0)
    addText(() => [wrapText(FILES, commander), ...fileVariables.map((name) => `  ${name}`)].join('\n'))
  if (details) addText(() => wrapText(details, commander))
  return commander
}

function declareFlags(commander: Commander, settings: Settings, prefix: string, hidden?: 'hidden'): void {
  // Help lists the headings in the order of their first flags.
  const rows = describeSettings(settings, prefix)
  const ordered = [...rows].sort(
    (one, other) => Number(hasHeading(settings[one.name])) - Number(hasHeading(settings[other.name]))
  )
  for (const { name, flag, variable, default: defaultText, help } of ordered) {
    if (flag === undefined) continue
    const { kind, placeholder = 'text', short, heading, implied, defaultWords } = settings[name] ?? {}
    const names = short ? `${short}, ${flag}` : flag
    const value = implied === undefined ? `<${placeholder}>` : `[${placeholder}]`
    const option = new Option(kind === 'switch' ? names : `${names} ${value}`, help)
    if (implied !== undefined) option.preset(implied)
    if (heading !== undefined) option.helpGroup(`${heading}:`)
    // Commander shows the variable in help. It also reads `process.env`, which has no effect: see `flagsIn`.
    if (variable !== undefined) option.env(variable)
    if (defaultText !== '' && kind !== 'switch') option.default(defaultText, defaultWords ?? defaultText)
    if (kind === 'list') option.argParser((text, previous: readonly string[] = []) => [...previous, text])
    commander.addOption(option.hideHelp(hidden !== undefined))
  }
}

function hasHeading(setting: Settings[string] | undefined): boolean {
  return setting?.heading !== undefined
}

const FILES = 'Secrets can be in files. These variables take the path of one:'

function resolveCommand<Context>(
  { command, parsed }: Chosen<Context>,
  program: Program<Context>,
  root: Commander,
  environment: Environment
): CommandLine<Context> {
  const { main, commands, prefix, shared = {} } = program
  const path = pathOf(parsed)
  const [word] = parsed.args
  // After `--`, commander takes words as arguments.
  if (command === main && word !== undefined && !main.arguments) throw unknownCommand(root, word)
  const precedingSettings = command === main ? shared : { ...main.settings, ...shared }
  const globalFlags = flagsIn(root, precedingSettings, prefix)
  const misplaced = describeSettings(precedingSettings, prefix).find(
    (row) => row.name in globalFlags && !(row.name in command.settings)
  )
  if (misplaced && command === main) throw new UsageError(`a command is missing. See ${program.name} --help`)
  if (misplaced) throw new UsageError(`${path} does not take ${misplaced.flag}. See ${path} --help`)
  const flags = { ...globalFlags, ...flagsIn(parsed, command.settings, prefix) }
  const given = { arguments: parsed.args, settings: readSettings(command.settings, { flags, environment, prefix }) }
  const all = Object.assign({}, ...commands.map((each) => each.settings), main.settings)
  return {
    type: 'run',
    command,
    given,
    warnings: unknownVariables(all, program, environment),
    run: (context) => command.run(given, context)
  }
}

/** Returns the texts of typed flags, without the values that commander read from `process.env`. */
function flagsIn(
  commander: Commander,
  settings: Settings,
  prefix: string
): Readonly<Record<string, string | readonly string[]>> {
  const typed = describeSettings(settings, prefix).flatMap(({ name, flag }) => {
    const attribute = commander.options.find(({ long }) => long === flag)?.attributeName() ?? ''
    if (commander.getOptionValueSource(attribute) !== 'cli') return []
    return [[name, settings[name]?.kind === 'switch' ? 'true' : commander.getOptionValue(attribute)]]
  })
  return Object.fromEntries(typed)
}
