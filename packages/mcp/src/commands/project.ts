import { createClient } from '@burgee/contract/client'
import { command } from '@burgee/kit/commandLine'
import { UsageError } from '@burgee/kit/settings'
import { limitedFetch } from '@burgee/sign-in'
import { openAccount } from '../login/account.ts'
import { accountSettings } from '../settings/settings.ts'
import { getProjectKey } from './chooseProject.ts'
import type { Terminal } from './terminal.ts'

/** `burgee-mcp project [key]` */
export const project = command({
  name: 'project',
  arguments: ['[key]'],
  summary: 'Show the default project, or set it.',
  // The argument takes the place of the flag.
  settings: { ...accountSettings, project: { ...accountSettings.project, flag: false } },
  run: async ({ arguments: [key], settings: options }, { file, print, now }: Terminal) => {
    const { apiUrl } = options
    const { tokens, project: current, signedIn } = await openAccount(options, file, now)
    if (key === undefined) {
      print(current || 'none')
      return 0
    }
    if (!signedIn) throw new UsageError('the credentials come from the environment: set SERVICE_PROJECT_KEY there')
    const client = createClient({ baseUrl: apiUrl, fetch: limitedFetch, credentials: { tokenSource: tokens } })
    const chosen = await getProjectKey(client, key)
    await file.change(apiUrl, async (held) => held && { ...held, project: chosen })
    print(`Default project: ${chosen}.`)
    if (options.project !== '' && options.project !== chosen)
      print(`SERVICE_PROJECT_KEY is ${options.project}, and takes precedence.`)
    return 0
  }
})
