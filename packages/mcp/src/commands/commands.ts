import { accountSettings, type Environment, flagsOf, OptionError, readArguments, readOptions } from '../options.ts'
import type { Command, Terminal } from './command.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { project } from './project.ts'
import { whoami } from './whoami.ts'

/** What `burgee-mcp` does at a terminal, besides serving. */
export const commands: readonly Command[] = [login, logout, whoami, project]

/** The command of this name. @throws {OptionError} when there is none. */
export function commandNamed(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name)
  if (command) return command
  const known = commands.map((candidate) => candidate.name).join(', ')
  throw new OptionError(`there is no command ${JSON.stringify(name)}; there are: ${known}. See burgee-mcp --help`)
}

/** Runs a command with the arguments that follow its name. Answers its exit code. */
export async function runCommand(
  { name, takes, flags, run }: Command,
  args: readonly string[],
  environment: Environment,
  terminal: Terminal
): Promise<number> {
  const given = readArguments(args, { ...flagsOf(takes), ...flags }, name)
  return run(given, readOptions(accountSettings, given, environment), terminal)
}
