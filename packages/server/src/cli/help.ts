import { commands } from './commands.ts'
import type { Command } from './kit/command.ts'

/** The part of `burgee-server --help` about commands. */
export function formatCommandsHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'Usage: burgee-server <command> [arguments]',
    '',
    'Commands work on the store that --store or BURGEE_STORE names, while no server is running on it. Those about',
    'audit only read, and whatever is running; types and stale ask a running server:',
    '',
    ...lines,
    '',
    'burgee-server <command> --help tells how a command is called.'
  ].join('\n')
}

/** How the commands about one thing are called; nothing when there are none about it. */
export function formatGroupHelp(group: string): string | undefined {
  const members = commands.filter(({ name }) => name.split(' ')[0] === group)
  if (members.length === 0) return undefined
  return [
    'Usage:',
    ...members.flatMap(formatUsage),
    '',
    ...new Set(members.flatMap(({ details }) => details ?? [STORE_OPTION_HELP]))
  ].join('\n')
}

const STORE_OPTION_HELP = '  --store <text>\n      As for the server; BURGEE_STORE otherwise.'

function formatUsage({ name, usage, summary }: Command): string[] {
  return ['', `  burgee-server ${name}${usage && ` ${usage}`}`, `      ${summary}`]
}
