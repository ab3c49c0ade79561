import { organizationName } from '@burgee/sign-in'
import { formatRecord } from '../../output/formatValue.ts'
import { apiCommand } from '../../run/apiCommand.ts'

/** `burgee whoami` */
export const whoami = apiCommand({
  name: 'whoami',
  summary: 'Show the account, the server and the credentials in use.',
  details: 'Example:\n  burgee whoami --json',
  settings: {},
  run: async (_given, { client, server, account, profile, terminal }) => {
    const { current, profiles } = await terminal.profiles.read()
    const name = Object.keys(profiles).find((one) => profiles[one] === profile) ?? current
    const { who, clientId, source } = account
    // A token alone does not say whose it is.
    const { user } = who || clientId ? { user: who } : await client.getSession()
    const data = {
      ...(user ? { id: user.id, name: user.name, email: user.email } : { clientId }),
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
