import { type Command, command, type Program } from '@burgee/kit/commandLine'
import { programVariables } from '@burgee/kit/settings'
import { assertComplete, type Options } from '../options.ts'
import { settings, VARIABLE_PREFIX } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backup.ts'
import { clientCommands } from './clients.ts'
import { configCommands } from './configs.ts'
import { encryptionCommands } from './encryption.ts'
import { keyCommands } from './keys.ts'
import { scimTokenCommands } from './scimTokens.ts'
import { transferCommands } from './transfer.ts'
import { userCommands } from './users.ts'

interface ProgramOptions {
  /** The version of the package. */
  readonly version: string
  /** Starts a server. Resolves when it is ready. */
  readonly start: (options: Options) => Promise<void>
}

/** Creates the command line of `burgee-server`. Without a command, it starts a server. */
export function createProgram({ version, start }: ProgramOptions): Program<Terminal> {
  return {
    name: 'burgee-server',
    version,
    prefix: VARIABLE_PREFIX,
    otherVariables: Object.values(programVariables).flat(),
    main: command({
      name: '',
      summary: 'Evaluates feature flags over HTTP and OFREP, and stores them. Without a command, starts the server.',
      settings,
      details: [
        'Flags take precedence over environment variables. For usage, run',
        'burgee-server <command> --help.',
        '',
        'users, clients, scim-tokens, keys, configs, encryption, restore, export and',
        'import open the store that --store or BURGEE_STORE names, and migrate those that',
        'it is given; stop the server of a directory first. With PostgreSQL, only migrate',
        'and changes of the data key need that. audit, backup, check and encryption',
        'status only read the store, and also work while the server is running. Commands',
        'that call a running server are those of burgee (@burgee/cli).'
      ].join('\n'),
      run: async (given) => {
        await start(assertComplete(given.settings))
        return 0
      }
    }),
    groups: {
      users: 'Manage people who sign in.',
      clients: 'Manage API clients.',
      'scim-tokens': 'Manage the tokens with which identity providers provision people.',
      keys: 'Manage the keys that sign access tokens.',
      configs: 'Manage the configs that SDKs download.',
      audit: 'Verify and export the audit log.',
      encryption: 'Manage the encryption of secrets in the store.'
    },
    commands
  }
}

const commands: readonly Command<Terminal>[] = [
  ...userCommands,
  ...clientCommands,
  ...scimTokenCommands,
  ...keyCommands,
  ...configCommands,
  ...auditCommands,
  ...encryptionCommands,
  ...backupCommands,
  ...transferCommands
]
