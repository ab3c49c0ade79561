import type { Command as Commander } from 'commander'
import { suggestion } from '../text/findNearest.ts'
import { UsageError } from './setting.ts'

/**
 * Asserts that the words of a command line name a command. Without it, an option of an unknown command would be reported
 * instead of the command, and `--help` after it would print the help of the program.
 * @throws {UsageError} with the nearest command.
 */
export function assertKnownCommand(commander: Commander, args: readonly string[]): void {
  const words = [...args]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith('-')) {
      const [name] = word.split('=')
      const option = commander.options.find(({ short, long }) => name === short || name === long)
      // Commander reports what is not an option. The next word could be its value.
      if (!option && name !== '--help' && name !== '-h') return
      if (option?.required && !word.includes('=')) words.shift()
    } else if (commander.registeredArguments.length > 0) return
    else {
      const known = commander.commands.find((each) => each.name() === word)
      if (!known && commander.commands.length > 0) throw unknownCommand(commander, word)
      if (known) assertKnownCommand(known, words)
      return
    }
  }
}

/** Returns the error for a word that is not a command. */
export function unknownCommand(commander: Commander, word: string): UsageError {
  const names = commander.commands.map((each) => each.name())
  const isValue = commander.parent === null && /^(true|false)$/.test(word)
  const hint = isValue
    ? ': flags without <…> in the help take no value'
    : suggestion(word, names) || suggestBelow(commander, word)
  return new UsageError(`unknown command '${word}'${hint}. See ${pathOf(commander)} --help`)
}

const MAX_SUGGESTED = 3

/** Suggests the commands of groups that have this name: `flags kill` for `kill`. */
function suggestBelow({ commands }: Commander, word: string): string {
  const paths = commands.flatMap((group) =>
    group.commands.filter((each) => each.name() === word).map((each) => `${group.name()} ${each.name()}`)
  )
  return paths.length === 0 ? '' : ` (did you mean ${paths.slice(0, MAX_SUGGESTED).join(' or ')}?)`
}

/** Returns a command as users type it, with the name of the program. */
export function pathOf(commander: Commander): string {
  return [...(commander.parent ? [pathOf(commander.parent)] : []), commander.name()].join(' ')
}
