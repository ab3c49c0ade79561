import { type Command, command } from '@burgee/kit/commandLine'
import { describeSettings } from '@burgee/kit/settings'
import { credentialSettings } from '../../profiles/credentialSettings.ts'
import { exitCodeMeanings } from '../../run/failures/exitCodes.ts'
import { connectionSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'

/** `burgee help <topic>`: what all commands have in common. */
export const helpTopics: readonly Command<Terminal>[] = [
  topic('output', 'How results are printed.', () => OUTPUT),
  topic('exit-codes', 'What the exit codes mean.', formatExitCodes),
  topic('environment', 'The environment variables.', formatVariables),
  topic('files', 'The files that commands read and write.', () => FILES),
  topic('selectors', 'How commands name flags, parts of results and parts of projects.', () => SELECTORS),
  topic('scripting', 'Commands in scripts and pipelines.', () => SCRIPTING),
  topic('agents', 'Commands that assistants run.', () => AGENTS)
]

function topic(name: string, summary: string, format: () => string): Command<Terminal> {
  return command({
    name: `help ${name}`,
    summary,
    settings: {},
    run: async (_given, { write }: Terminal) => {
      write(`${format()}\n`)
      return 0
    }
  })
}

function formatExitCodes(): string {
  const width = Math.max(...exitCodeMeanings.map(([code]) => code.length)) + 2
  return exitCodeMeanings.map(([code, meaning]) => `${code.padEnd(width)}${wrap(meaning, width)}`).join('\n')
}

/** The width of a terminal that all texts fit into. */
const WIDTH = 80

/** Breaks a text into lines, which are indented but for the first one. */
function wrap(text: string, indent: number): string {
  const lines = text.match(new RegExp(`.{1,${WIDTH - indent}}(?:\\s|$)|\\S+`, 'g')) ?? []
  return lines.map((line) => line.trim()).join(`\n${' '.repeat(indent)}`)
}

function formatVariables(): string {
  const settings = { ...connectionSettings, ...projectSettings, ...environmentSettings, ...credentialSettings }
  const described = describeSettings(settings, 'BURGEE_').flatMap(({ variable, help }) => {
    return variable === undefined ? [] : [`${variable}\n  ${wrap(help, 2)}`]
  })
  return [
    'Flags take precedence over these variables, these over burgee.yaml, and that\nover the profile.',
    '',
    ...described,
    'BURGEE_CONFIG_DIR',
    '  Folder of profiles and stored sign-ins, instead of ~/.config/burgee.',
    '',
    'The variable of a secret can end in _FILE: it is then the path of a file.'
  ].join('\n')
}

const OUTPUT = `On a terminal, commands print tables, otherwise JSON. Only results are written
to standard output; everything else to standard error.

  -o table             a table or sentences
  -o json, -o yaml     everything (--json is -o json)
  -o jsonl             one item per line
  -o tsv               tab-separated columns with a header, unless --no-header
  -o value             unquoted strings, numbers and booleans, one per line
  --query <path>       a part of the result: see burgee help selectors
  --columns <names>    only these members of each item
  --wide               tables wider than the terminal
  --quiet              no notices and progress

Tables fit the terminal: less important columns are omitted, and long texts
are wrapped or cut with …. Keys are never cut. Within a major version, members
of JSON are added and never removed. burgee schema <command> prints the JSON
Schema of what the command of an operation prints.`

const FILES = `~/.config/burgee/config.json
  The profiles of burgee use. On Windows: %APPDATA%\\burgee.
~/.config/burgee/credentials.json
  Sign-ins, by server. Only its owner can read it.
burgee.yaml
  Settings of a repository, found from the working directory upwards. burgee
  init writes it.
flags
  The folder of burgee plan, apply and pull, unless burgee.yaml has state.files.
  burgee schema prints the JSON Schema of its files.
.burgee/overrides.yaml
  Overrides of burgee dev.

BURGEE_CONFIG_DIR names another folder than ~/.config/burgee.`

const SELECTORS = `Resources
  Arguments are keys or ids, for example burgee flags show new-checkout.
  -p, --project and -e, --environment are keys or ids.

Parts of results: --query
  key                  a member
  [0].key, [-1].key    a member of the first item, of the last one
  [].key               a member of all items
  targets[].audience.name

Users of a target: --where of burgee rollout
  country=CA,US        one of these values; several --where must all match

Parts of a project: --only of burgee plan and apply, manage.ignore in files
  features.search      everything below this path
  features.*.environments.production`

const SCRIPTING = `- Set BURGEE_URL and BURGEE_PROJECT, and BURGEE_CLIENT_ID with
  BURGEE_CLIENT_SECRET_FILE. Jobs of GitHub Actions and GitLab CI need no
  secret.
- Without a terminal, commands print JSON and ask nothing. What needs a
  confirmation ends with 11; --yes confirms.
- Failures are one line of JSON on standard error:
  {"error":{"code","exit","message"}}
- burgee help exit-codes lists the exit codes.
- Read-only requests are retried up to three times, others are not.

  burgee features list --query '[].key' -o value
  burgee stale --fail || echo "there are stale features"
  burgee api GET '/v1/projects/{project}/audiences' --paginate`

const AGENTS = `- burgee commands --json describes all commands with their arguments and flags.
- burgee <command> --help has examples, and the permission that it needs.
- Output is JSON where standard output is no terminal; --json is explicit.
- A change of a protected environment ends with 11 and shows its effect. Show
  that to the person, and repeat the command with --yes after their consent.
- burgee explain <flag> --user <id> says why a user gets a variation.
- For tools of the Model Context Protocol, see burgee-mcp.`
