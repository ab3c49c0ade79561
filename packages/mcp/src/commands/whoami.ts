import { ApiError, type Client, createClient } from '@burgee/contract/client'
import { accountOf } from '../login/account.ts'
import { patientFetch } from '../login/patientFetch.ts'
import { accountSettings } from '../options.ts'
import type { Command } from './command.ts'
import { noArguments } from './noArguments.ts'

/** Tells whom this program acts for. */
export const whoami: Command = {
  name: 'whoami',
  usage: '',
  summary: 'Tell who acts, on which server, and which credentials are in use.',
  takes: accountSettings,
  flags: { json: { type: 'boolean' } },
  details: ['  --json\n      Print one JSON object.'],
  run: async (given, options, { file, print, now }) => {
    noArguments(given)
    const { apiUrl } = options
    const { id, tokens: tokenSource, project, signedIn } = await accountOf(options, file, now)
    const { name, email } = signedIn?.who ?? {}
    const told = {
      ...(signedIn ? { id, name, email } : { clientId: id }),
      organization: await organizationOf(
        createClient({ baseUrl: apiUrl, fetch: patientFetch, credentials: { tokenSource } })
      ),
      server: apiUrl,
      project: project || undefined,
      credentials: signedIn ? `signed in, kept in ${file.path}` : 'environment (SERVICE_CLIENT_ID)'
    }
    if (given.flags.json === true) print(JSON.stringify(told, null, 2))
    else for (const [label, value] of Object.entries(told)) print(`${`${label}:`.padEnd(14)}${value ?? 'none'}`)
    return 0
  }
}

/** The name of the organization, which also shows whether the credentials are good. Who may not read it acts nevertheless. */
async function organizationOf(client: Client): Promise<string | undefined> {
  const organizations = await client.listOrganizations().catch((error) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
  return organizations[0]?.display_name
}
