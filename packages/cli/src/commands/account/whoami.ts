import { ApiError, type Client } from '@burgee/contract/client'
import { formatRecord } from '../../output/formatValue.ts'
import { apiCommand } from '../../run/apiCommand.ts'

/** `burgee whoami` */
export const whoami = apiCommand({
  name: 'whoami',
  summary: 'Show the account, the server and the credentials in use.',
  settings: {},
  run: async (_given, { client, server, account, profile, terminal }) => {
    const { current, profiles } = await terminal.profiles.read()
    const name = Object.keys(profiles).find((one) => profiles[one] === profile) ?? current
    const { who, clientId, source } = account
    const data = {
      ...(who ? { id: who.id, name: who.name, email: who.email } : { clientId }),
      organization: await organizationName(client),
      server,
      profile: profile ? name : undefined,
      project: profile?.project,
      environment: profile?.environment,
      credentials: source
    }
    return { data, text: (width) => formatRecord(data, width) }
  }
})

/** Returns the name of the organization. The request also proves the credentials; an account may lack the permission to read it. */
async function organizationName(client: Client): Promise<string | undefined> {
  const organizations = await client.listOrganizations().catch((error) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
  return organizations[0]?.display_name
}
