import { type Command, command, type Program } from '@burgee/kit/commandLine'
import { login } from './commands/account/login.ts'
import { logout } from './commands/account/logout.ts'
import { profileCommands } from './commands/account/profiles.ts'
import { whoami } from './commands/account/whoami.ts'
import { cleanup } from './commands/code/cleanup.ts'
import { diff } from './commands/code/diff.ts'
import { scan } from './commands/code/scan.ts'
import { stale } from './commands/code/stale.ts'
import { types } from './commands/code/types.ts'
import { usages } from './commands/code/usages.ts'
import { completionCommands } from './commands/completion/completion.ts'
import { dev } from './commands/dev/dev.ts'
import { overrideCommands } from './commands/dev/overrides.ts'
import { explainCommands } from './commands/flags/explain.ts'
import { flagCommands } from './commands/flags/flagCommands.ts'
import { historyCommands } from './commands/flags/history.ts'
import { rollout } from './commands/flags/rollout.ts'
import { serve } from './commands/flags/serve.ts'
import { helpTopics } from './commands/help/helpTopics.ts'
import { apply } from './commands/projects/apply.ts'
import { exportProject } from './commands/projects/exportProject.ts'
import { importProject } from './commands/projects/importProject.ts'
import { plan } from './commands/projects/plan.ts'
import { pull } from './commands/projects/pull.ts'
import { schema } from './commands/projects/schema.ts'
import { compare } from './commands/release/compare.ts'
import { insightCommands } from './commands/release/insights.ts'
import { keysList, keysRotate } from './commands/release/keys.ts'
import { promote } from './commands/release/promote.ts'
import { requestCommands } from './commands/release/requests.ts'
import { watch } from './commands/release/watch.ts'
import { api } from './commands/start/api.ts'
import { commandsCommand } from './commands/start/commands.ts'
import { doctor } from './commands/start/doctor.ts'
import { init } from './commands/start/init.ts'
import { groups } from './groups.ts'
import { manifest } from './manifest/manifest.ts'
import { operationCommands } from './operations/operationCommands.ts'
import { credentialSettings } from './profiles/credentialSettings.ts'
import { sharedSettings } from './run/settings.ts'
import type { Terminal } from './run/terminal.ts'
import { sections } from './sections.ts'
import { version } from './version.ts'

/** Returns the command line of `burgee`. */
export function createProgram(): Program<Terminal> {
  const declared = [
    init,
    login,
    logout,
    whoami,
    ...profileCommands,
    doctor,
    ...flagCommands,
    rollout,
    serve,
    ...historyCommands,
    ...explainCommands,
    compare,
    promote,
    ...requestCommands,
    ...insightCommands,
    watch,
    keysList,
    keysRotate,
    usages,
    scan,
    diff,
    cleanup,
    types,
    stale,
    plan,
    apply,
    pull,
    exportProject,
    importProject,
    dev,
    ...overrideCommands,
    ...operationCommands(manifest()),
    schema,
    api
  ]
  const topics = helpTopics.map(({ name }) => name.replace('help ', ''))
  const commands = [...declared, commandsCommand(declared), ...helpTopics]
  return {
    name: 'burgee',
    version,
    prefix: 'BURGEE_',
    // Other programs of Burgee have settings with this prefix, too.
    sharedPrefix: 'BURGEE_',
    main: command({
      name: '',
      summary: 'Manages feature flags of a Burgee server.',
      settings: credentialSettings,
      details: `Options of commands, such as --profile and --project, can also precede the command. Topics that concern all commands: burgee help ${topics.join(', ')}.`,
      run: async (_given, terminal: Terminal) => {
        const { printOverview } = await import('./overview.ts')
        await printOverview(terminal)
        return 0
      }
    }),
    shared: sharedSettings,
    groups,
    sections: withOthers(commands),
    commands: [...commands, ...completionCommands(commands, sharedSettings)]
  }
}

/** Adds the headings of the commands that are below none. */
function withOthers(commands: readonly Command<Terminal>[]): Readonly<Record<string, readonly string[]>> {
  const known = new Set(Object.values(sections).flat())
  const own = ['commands', 'schema', 'api', 'help', 'completion']
  const words = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const others = words.filter((word) => !known.has(word) && !own.includes(word))
  return { ...sections, 'The management API, by resource': others, 'This program': own }
}
