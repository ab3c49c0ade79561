import { command, type Program } from '@burgee/kit/commandLine'
import { UsageError } from '@burgee/kit/settings'
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
import { completionCommands } from './commands/completion.ts'
import { explainCommands } from './commands/flags/explain.ts'
import { flagCommands } from './commands/flags/flagCommands.ts'
import { rollout } from './commands/flags/rollout.ts'
import { apply } from './commands/projects/apply.ts'
import { exportProject } from './commands/projects/exportProject.ts'
import { importProject } from './commands/projects/importProject.ts'
import { plan } from './commands/projects/plan.ts'
import { pull } from './commands/projects/pull.ts'
import { schema } from './commands/projects/schema.ts'
import { compare } from './commands/release/compare.ts'
import { insightCommands } from './commands/release/insights.ts'
import { keysList } from './commands/release/keys.ts'
import { promote } from './commands/release/promote.ts'
import { requestCommands } from './commands/release/requests.ts'
import { groups } from './groups.ts'
import { manifest } from './operations/manifest.ts'
import { operationCommands } from './operations/operationCommands.ts'
import { credentialSettings } from './run/settings.ts'
import type { Terminal } from './run/terminal.ts'
import { version } from './version.ts'

/** Returns the command line of `burgee`. */
export function createProgram(): Program<Terminal> {
  const commands = [
    login,
    logout,
    whoami,
    ...profileCommands,
    ...flagCommands,
    rollout,
    ...explainCommands,
    compare,
    promote,
    ...requestCommands,
    ...insightCommands,
    keysList,
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
    schema,
    ...operationCommands(manifest())
  ]
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
      run: async () => {
        throw new UsageError('a command is missing. See burgee --help')
      }
    }),
    groups,
    commands: [...commands, ...completionCommands(commands)]
  }
}
