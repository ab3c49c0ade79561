import { parseArgs } from 'node:util'
import { commands } from './commands.ts'
import { type Command, CommandError, type ParsedArguments } from './kit/command.ts'
import { joinNegativeNumbers } from './kit/joinNegativeNumbers.ts'
import { settingFlags } from './kit/options.ts'

/** A command as it was typed. */
export interface ParsedCommandLine {
  readonly command: Command
  /** What it was given; the settings of the server are among the flags. */
  readonly input: ParsedArguments
}

/** What the arguments are about, as in `users`, when they name a command and not the settings of a server to start. */
export function findCommandGroup(args: readonly string[]): string | undefined {
  return parsePositionals(args)[0]
}

/** The command that the arguments name, and what they give it. @throws {CommandError} when there is no such command, or it takes no such flags. */
export function parseCommandLine(args: readonly string[]): ParsedCommandLine {
  const words = parsePositionals(args)
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => word === words[index]))
  if (!command) {
    const name = words.slice(0, 2).join(' ')
    const known = commands.map((candidate) => candidate.name).join(', ')
    throw new CommandError(`there is no command ${JSON.stringify(name)}; there are: ${known}. See burgee-server --help`)
  }
  const { name } = command
  try {
    // The settings of a server here say nothing to one elsewhere.
    const options = command.opens === 'server' ? { ...command.flags } : { ...settingFlags, ...command.flags }
    const { values, positionals } = parseArgs({ args: joinNegativeNumbers(args), options, allowPositionals: true })
    return { command, input: { flags: values, positionals: positionals.slice(name.split(' ').length) } }
  } catch (cause) {
    const [reason = ''] = String(cause instanceof Error ? cause.message : cause).split('\n')
    throw new CommandError(`${reason.replace(/\.?$/, '.')} See burgee-server ${name} --help`, { cause })
  }
}

/** What stands in the arguments besides flags and the values of settings. */
function parsePositionals(args: readonly string[]): readonly string[] {
  return parseArgs({ args: [...args], options: settingFlags, allowPositionals: true, strict: false }).positionals
}
