import {
  parseBoolean,
  parseInteger,
  parseOptionalAddress,
  parseText,
  type Settings,
  type Values
} from '@burgee/kit/settings'
import { heading, outputSettings } from '../output/outputSettings.ts'

/** The settings of every command that calls a server. */
export const connectionSettings = {
  server: {
    heading,
    variable: 'BURGEE_URL',
    placeholder: 'address',
    ignoresEmpty: true,
    help: 'Address of the server, such as https://flags.example.com. If empty, that of the profile.',
    parse: parseOptionalAddress
  },
  profile: {
    heading,
    placeholder: 'name',
    help: 'Profile to use instead of the current one; see burgee use --help.',
    parse: parseText
  },
  ...outputSettings,
  debug: {
    heading,
    kind: 'switch',
    variable: false,
    help: 'Print requests, also those for tokens, to standard error, with secrets masked.',
    parse: parseBoolean
  }
} as const satisfies Settings

export type ConnectionOptions = Values<typeof connectionSettings>

/** How many entries of a history to show. */
export const numberSetting = {
  number: {
    short: '-n',
    variable: false,
    default: '20',
    placeholder: 'count',
    help: 'How many entries, 1 to 10000.',
    parse: parseInteger(1, 10_000)
  }
} as const

/** The setting of lists, which fetch all pages. */
export const limitSettings = {
  limit: {
    variable: false,
    default: '0',
    defaultWords: 'all',
    placeholder: 'number',
    help: 'Stop after this many items. 0 fetches all pages.',
    parse: parseInteger(0)
  }
} as const satisfies Settings

/** Leaves out what belongs to other environments. */
export const environmentFilter = {
  environment: {
    short: '-e',
    variable: false,
    placeholder: 'key',
    help: 'Only this environment.',
    parse: parseText
  }
} as const

/** The settings of commands about a project. */
export const projectSettings = {
  project: {
    short: '-p',
    placeholder: 'key',
    help: 'Key or id of the project. If empty, that of burgee.yaml or the profile.',
    parse: parseText
  }
} as const satisfies Settings

/** The settings of commands about one environment. */
export const environmentSettings = {
  environment: {
    short: '-e',
    placeholder: 'key',
    help: 'Key or id of the environment. If empty, that of burgee.yaml or the profile.',
    parse: parseText
  }
} as const satisfies Settings

/** The settings whose flags can precede the command: `burgee --profile work flags list`. */
export const sharedSettings = {
  ...connectionSettings,
  ...projectSettings,
  ...environmentSettings
} as const satisfies Settings

/** The settings of commands that ask before they change something. */
export const confirmationSettings = {
  yes: { short: '-y', kind: 'switch', variable: false, help: 'Do not ask for confirmation.', parse: parseBoolean }
} as const satisfies Settings

/** The setting of commands that can print their request instead of sending it. */
export const dryRunSettings = {
  dryRun: {
    kind: 'switch',
    variable: false,
    help: 'Check the request against the API description, and print it with secrets masked. Nothing is sent.',
    parse: parseBoolean
  }
} as const satisfies Settings
