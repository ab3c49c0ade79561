import type { Command } from '@burgee/kit/commandLine'
import { describeSettings, type Settings } from '@burgee/kit/settings'
import type { Terminal } from '../../run/terminal.ts'

/** The kinds of keys that completion proposes. Profiles are on this computer, the others on the server. */
const keyKinds = ['profile', 'project', 'environment', 'feature', 'variable', 'variation', 'request'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Keys of a server that can be the next word. */
export interface WantedKeys {
  readonly kind: KeyKind
  /** The values of flags that were typed, by flag, for example `--project`. */
  readonly flags: Readonly<Record<string, string>>
  /** The feature whose variations are wanted, if it was typed. */
  readonly feature?: string
}

interface Completion {
  /** Commands, or flags of a command. */
  readonly words: readonly string[]
  readonly keys?: WantedKeys
  /** What the last word has before the key, for example `--project=`. */
  readonly prefix?: string
}

type Completed = Pick<Command<Terminal>, 'name' | 'settings' | 'arguments' | 'isHidden'>

/** Returns the completions of the last word. `shared` are the settings whose flags can precede a command. */
export function completeWords(
  commands: readonly Completed[],
  typed: readonly string[],
  shared: Settings = {}
): Completion {
  const [, flag, separator] = /^(--[\w-]+)(=)/.exec(typed.at(-1) ?? '') ?? []
  if (flag === undefined) return completeLast(commands, joinAssignments(typed), shared)
  const { words, keys } = completeLast(commands, [...typed.slice(0, -1), flag, ''], shared)
  return {
    words: words.map((word) => `${flag}${separator}${word}`),
    ...(keys && { keys, prefix: `${flag}${separator}` })
  }
}

/** Removes `=` after flags: bash passes `--project=shop` as three words, and completes the last one. */
function joinAssignments(typed: readonly string[]): readonly string[] {
  const isAssignment = (word: string, index: number) => word === '=' && /^--\w/.test(typed[index - 1] ?? '')
  const words = typed.filter((word, index) => !isAssignment(word, index))
  return isAssignment(typed.at(-1) ?? '', typed.length - 1) ? [...words, ''] : words
}

function completeLast(commands: readonly Completed[], typed: readonly string[], shared: Settings): Completion {
  const current = typed.at(-1) ?? ''
  const program = { name: '', settings: shared }
  const { leading, rest } = splitAtCommand(program, typed.slice(0, -1))
  const preceding = readTyped(program, leading)
  const plain = rest.filter((word) => !word.startsWith('-'))
  const names = commands.filter(({ isHidden }) => !isHidden).map((one) => ({ one, words: one.name.split(' ') }))
  const isBelow = (words: readonly string[]) => plain.every((word, index) => words[index] === word)
  const next = names.flatMap(({ words }) => (isBelow(words) ? (words[plain.length] ?? []) : []))
  const chosen = names
    .filter(({ words }) => words.every((word, index) => plain[index] === word))
    .sort((one, other) => other.words.length - one.words.length)[0]?.one
  if (!chosen) {
    if (preceding.open !== undefined) return completeValue(program, preceding.open, preceding)
    const own = rest.length === 0 ? [...flagsOf(program).keys(), '--version'] : []
    return { words: current.startsWith('-') ? [...own, '--help'] : next }
  }
  const following = readTyped(chosen, rest)
  const all = { ...following, flags: { ...preceding.flags, ...following.flags } }
  if (following.open !== undefined) return completeValue(chosen, following.open, all)
  if (current.startsWith('-')) return { words: [...flagsOf(chosen).keys(), '--help'] }
  return withKeys(next, kindOfArgument(chosen, following.given.length), all)
}

/** Splits words into the flags that precede the command, with their values, and the rest. */
function splitAtCommand(program: Completed, words: readonly string[]) {
  const known = flagsOf(program)
  const short = shortFlags(program)
  const takesValue = (word = '') => known.get(short[word] ?? word) === true
  const start = words.findIndex((word, index) => !word.startsWith('-') && !takesValue(words[index - 1]))
  const count = start === -1 ? words.length : start
  return { leading: words.slice(0, count), rest: words.slice(count) }
}

function completeValue(command: Completed, flag: string, typed: Typed): Completion {
  return withKeys(choicesOf(command, flag), kindOfFlag(command, flag), typed)
}

function withKeys(words: readonly string[], kind: KeyKind | undefined, { flags, given }: Typed): Completion {
  const feature = flags['--feature'] ?? flags['--flag'] ?? given[0]
  return { words, ...(kind && { keys: { kind, flags, ...(feature !== undefined && { feature }) } }) }
}

interface Typed {
  readonly flags: WantedKeys['flags']
  /** The arguments that were typed. */
  readonly given: readonly string[]
  /** The flag whose value is the next word. */
  readonly open?: string
}

function readTyped(command: Completed, before: readonly string[]): Typed {
  const known = flagsOf(command)
  const flags: Record<string, string> = {}
  let open: string | undefined
  const words: string[] = []
  for (const word of before) {
    if (open !== undefined) {
      flags[open] = word
      open = undefined
    } else if (word.startsWith('-')) {
      const [name = '', ...value] = word.split('=')
      const flag = known.has(name) ? name : (shortFlags(command)[name] ?? '')
      if (value.length > 0) flags[flag] = value.join('=')
      else if (known.get(flag)) open = flag
    } else words.push(word)
  }
  const given = words.slice(command.name.split(' ').length)
  return { flags, given, ...(open !== undefined && { open }) }
}

/** Returns the flags of a command, and whether each takes a value. */
function flagsOf({ settings }: Completed): ReadonlyMap<string, boolean> {
  const rows = describeSettings(settings, 'BURGEE_')
  return new Map(rows.flatMap(({ name, flag }) => (flag ? [[flag, settings[name]?.kind !== 'switch']] : [])))
}

/** Returns the texts that a flag accepts, if these are few. */
function choicesOf({ settings }: Completed, flag: string): readonly string[] {
  const name = describeSettings(settings, 'BURGEE_').find((row) => row.flag === flag)?.name
  return (name !== undefined && settings[name]?.choices) || []
}

/** Returns the long flag of each short one. */
function shortFlags({ settings }: Completed): Readonly<Record<string, string>> {
  const rows = describeSettings(settings, 'BURGEE_')
  return Object.fromEntries(
    rows.flatMap(({ name, flag }) => {
      const short = settings[name]?.short
      return flag && short ? [[short, flag]] : []
    })
  )
}

/** Returns the kind of a flag's value, from its placeholder (`<variation>`) or else its name (`--static-variation`). */
function kindOfFlag({ settings }: Completed, flag: string): KeyKind | undefined {
  const name = describeSettings(settings, 'BURGEE_').find((row) => row.flag === flag)?.name
  const { placeholder = '', choices } = settings[name ?? ''] ?? {}
  if (choices !== undefined || placeholder === 'json') return undefined
  return kindOf(placeholder) ?? kindOf(flag)
}

/** Returns the kind of an argument, from its name. */
function kindOfArgument({ arguments: declared = [] }: Completed, position: number): KeyKind | undefined {
  const last = declared.at(-1)
  const argument = declared[position] ?? (last?.includes('...') ? last : undefined)
  return argument === undefined ? undefined : kindOf(argument.replace(/[^a-z-]/g, ''))
}

/** Returns the kind from the last word of a name: `variation` for `static-variations`. */
function kindOf(name: string): KeyKind | undefined {
  const word = name.replace(/^.*-/, '').replace(/s$/, '')
  if (word === 'flag') return 'feature'
  return keyKinds.find((kind) => kind === word)
}
