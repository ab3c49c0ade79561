import { command, type Program } from '@burgee/kit/commandLine'
import { login } from '../commands/login.ts'
import { logout } from '../commands/logout.ts'
import { project } from '../commands/project.ts'
import type { Terminal } from '../commands/terminal.ts'
import { whoami } from '../commands/whoami.ts'
import { version } from '../packageRoot.ts'
import { settings } from '../settings/settings.ts'

/** The command line of `burgee-mcp`. */
export const program: Program<Terminal> = {
  name: 'burgee-mcp',
  version,
  prefix: 'BURGEE_MCP_',
  sharedPrefix: 'SERVICE_',
  familyPrefix: 'BURGEE_',
  // Settings of `burgee-server`, which can share the environment.
  otherVariables: ['BURGEE_HOST', 'BURGEE_PORT', 'BURGEE_PUBLIC_URL'],
  main: command({
    name: '',
    summary:
      'Lets assistants manage feature flags of a Burgee server over the Model Context Protocol. Without a command, serves its parent process over standard input and output or, with --http, all users who sign in.',
    details: 'Flags take precedence over environment variables. For usage, run\nburgee-mcp <command> --help.',
    settings,
    run: async ({ settings: options }, { file }: Terminal) => {
      // Loaded on demand, since commands start faster without it.
      const { serve } = await import('./serve.ts')
      await serve(options, file)
      return 0
    }
  }),
  commands: [login, logout, whoami, project]
}
