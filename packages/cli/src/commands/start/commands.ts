import type { Command } from '@burgee/kit/commandLine'
import { describeSettings } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { localCommand } from '../../run/localCommand.ts'
import type { Terminal } from '../../run/terminal.ts'

/** Returns `burgee commands`, which lists the given commands and itself. */
export function commandsCommand(commands: readonly Command<Terminal>[]): Command<Terminal> {
  const own: Command<Terminal> = localCommand({
    name: 'commands',
    summary: 'List all commands with their arguments and flags, for programs and assistants.',
    settings: {},
    details: "Example:\n  burgee commands --json --query '[].name'",
    run: async () => {
      const all = [...commands, own]
      return {
        data: all.map(describeCommand),
        columns: ['name', 'summary'],
        text: (width) =>
          formatColumns(
            all.map(({ name, summary }) => [`burgee ${name}`, summary]),
            width,
            { isHeadless: true }
          ).join('\n')
      }
    }
  })
  return own
}

function describeCommand({ name, summary, arguments: positionals = [], settings, details }: Command<Terminal>) {
  const rows = describeSettings(settings, 'BURGEE_')
  return {
    name,
    summary,
    arguments: positionals,
    flags: rows.flatMap(({ name: setting, flag, variable, default: defaultText, help }) => {
      if (flag === undefined) return []
      const { kind, placeholder = 'text' } = settings[setting] ?? {}
      return [
        {
          flag,
          ...(kind !== 'switch' && { value: placeholder }),
          ...(kind === 'list' && { isList: true }),
          ...(variable !== undefined && { variable }),
          ...(defaultText !== '' && { default: defaultText }),
          help
        }
      ]
    }),
    ...(details !== undefined && { details })
  }
}
