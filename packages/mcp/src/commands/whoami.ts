import { createClient } from '@burgee/contract/client'
import { command } from '@burgee/kit/commandLine'
import { parseBoolean } from '@burgee/kit/settings'
import { limitedFetch, organizationName } from '@burgee/sign-in'
import { openAccount } from '../login/account.ts'
import { accountSettings } from '../settings/settings.ts'
import type { Terminal } from './terminal.ts'

/** `burgee-mcp whoami` */
export const whoami = command({
  name: 'whoami',
  summary: 'Show the account, the server and the credentials in use.',
  settings: {
    ...accountSettings,
    json: { kind: 'switch', variable: false, help: 'Print one JSON object.', parse: parseBoolean }
  },
  run: async ({ settings: { json, ...options } }, { file, print, now }: Terminal) => {
    const { apiUrl } = options
    const { id, tokens, project, signedIn } = await openAccount(options, file, now)
    const { name, email } = signedIn?.who ?? {}
    const client = createClient({ baseUrl: apiUrl, fetch: limitedFetch, credentials: { tokenSource: tokens } })
    const account = {
      ...(signedIn ? { id, name, email } : { clientId: id }),
      organization: await organizationName(client),
      server: apiUrl,
      project: project || undefined,
      credentials: signedIn ? `signed in, stored in ${file.path}` : 'environment (SERVICE_CLIENT_ID)'
    }
    if (json) print(JSON.stringify(account, null, 2))
    else {
      const missing: Record<string, string> = { organization: 'not readable with the scopes of this sign-in' }
      for (const [label, value] of Object.entries(account)) {
        print(`${`${label}:`.padEnd(14)}${value ?? missing[label] ?? 'none'}`)
      }
    }
    return 0
  }
})
