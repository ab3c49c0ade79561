import type { Command } from './commands/command.ts'
import { commands } from './commands/commands.ts'
import { allSettings, settingsHelp } from './options.ts'

/** What `burgee-mcp --help` prints. */
export function help(): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length))
  return [
    'burgee-mcp: lets assistants manage feature flags of a Burgee server, by the Model Context Protocol.',
    '',
    'Usage: burgee-mcp [flags]',
    '       burgee-mcp <command>',
    '',
    'Without a command it serves the program that started it, over standard input and output; with --http everybody who',
    'signs in.',
    '',
    ...commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`),
    '',
    'burgee-mcp <command> --help tells how a command is called.',
    '',
    'Each flag can also be given as an environment variable; the flag wins.',
    '',
    ...settingsHelp(allSettings),
    '  --help, -h\n      Print this text.',
    '  --version\n      Print the version.'
  ].join('\n')
}

/** How a command is called. */
export function commandHelp({ name, usage, summary, takes, details }: Command): string {
  return [
    `Usage: burgee-mcp ${name}${usage && ` ${usage}`} [flags]`,
    '',
    summary,
    '',
    ...details,
    ...settingsHelp(takes),
    '  --help, -h\n      Print this text.'
  ].join('\n')
}
