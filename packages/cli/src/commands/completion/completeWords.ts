import type { Command } from '@burgee/kit/commandLine'
import { describeSettings } from '@burgee/kit/settings'
import type { Terminal } from '../../run/terminal.ts'

/** The kinds of keys that completion proposes. Profiles are on this computer, the others on the server. */
export type KeyKind = 'profile' | 'project' | 'environment' | 'feature' | 'variable' | 'variation' | 'request'

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

/** Returns the completions of the last word. */
export function completeWords(commands: readonly Completed[], typed: readonly string[]): Completion {
  const [, flag, separator] = /^(--[\w-]+)(=)/.exec(typed.at(-1) ?? '') ?? []
  if (flag === undefined) return completeLast(commands, joinAssignments(typed))
  const { words, keys } = completeLast(commands, [...typed.slice(0, -1), flag, ''])
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

function completeLast(commands: readonly Completed[], typed: readonly string[]): Completion {
  const current = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  const plain = before.filter((word) => !word.startsWith('-'))
  const names = commands.filter(({ isHidden }) => !isHidden).map((one) => ({ one, words: one.name.split(' ') }))
  const isBelow = (words: readonly string[]) => plain.every((word, index) => words[index] === word)
  const next = names.flatMap(({ words }) => (isBelow(words) ? (words[plain.length] ?? []) : []))
  const chosen = names
    .filter(({ words }) => words.every((word, index) => plain[index] === word))
    .sort((one, other) => other.words.length - one.words.length)[0]?.one
  if (!chosen) return { words: current.startsWith('-') ? ['--help'] : next }
  const { flags, given, open } = readTyped(chosen, before)
  const feature = flags['--feature'] ?? flags['--flag'] ?? given[0]
  const wanted = { flags, ...(feature !== undefined && { feature }) }
  if (open !== undefined) return withKeys(choicesOf(chosen, open), kindOfFlag(chosen, open), wanted)
  if (current.startsWith('-')) return { words: [...flagsOf(chosen).keys(), '--help'] }
  return withKeys(next, kindOfArgument(chosen, given.length), wanted)
}

function withKeys(words: readonly string[], kind: KeyKind | undefined, wanted: Omit<WantedKeys, 'kind'>): Completion {
  return { words, ...(kind && { keys: { kind, ...wanted } }) }
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

function kindOfFlag({ settings }: Completed, flag: string): KeyKind | undefined {
  const kind = flagKinds[flag]
  if (kind !== undefined) return kind
  // `--from` and `--to` are shares in other commands.
  const { placeholder } = settings[flag.slice(2)] ?? {}
  return placeholder === 'environment' ? placeholder : undefined
}

const flagKinds: Readonly<Record<string, KeyKind>> = {
  '--profile': 'profile',
  '--project': 'project',
  '--environment': 'environment',
  '--environments': 'environment',
  '--feature': 'feature',
  '--flag': 'feature',
  '--variable': 'variable',
  '--variation': 'variation',
  '--static-variation': 'variation',
  '--control': 'variation',
  '--serve': 'variation'
}

/** Returns the kind of an argument: of its name, or for `<key>` of the command. New keys have none. */
function kindOfArgument({ name, arguments: declared = [] }: Completed, position: number): KeyKind | undefined {
  const last = declared.at(-1)
  const argument = declared[position] ?? (last?.includes('...') ? last : undefined)
  const word = argument?.replace(/[^a-z]/g, '')
  const [group = ''] = name.split(' ')
  if (word === 'id' && group === 'requests') return 'request'
  if (word === 'profile') return word
  if (word === 'variations') return 'variation'
  if (word === 'feature' || word === 'environment' || word === 'variable') return word
  if (word !== 'key' || / create$/.test(name)) return undefined
  return groupKinds[group]
}

const groupKinds: Readonly<Record<string, KeyKind>> = {
  projects: 'project',
  environments: 'environment',
  variables: 'variable',
  variations: 'variation',
  flags: 'feature',
  rollout: 'feature',
  serve: 'feature',
  history: 'feature',
  undo: 'feature',
  explain: 'feature',
  results: 'feature',
  compare: 'feature',
  promote: 'feature',
  watch: 'feature',
  open: 'feature'
}
