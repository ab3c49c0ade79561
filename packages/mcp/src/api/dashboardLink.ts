import type { Call } from './call.ts'

/** Returns the address of a page of the dashboard; `undefined` without a dashboard, or when the organization cannot be read. */
export async function dashboardLink(page: string | undefined, call: Call): Promise<string | undefined> {
  const { settings, session } = call
  // The dashboard addresses pages by key, and this call used an id.
  const isById = /\/[0-9a-f]{24}(\/|$)/.test(page ?? '')
  if (page === undefined || isById || settings.dashboardUrl === '') return undefined
  const organization = known.get(session) ?? (await organizationOf(call))
  if (organization === undefined) return undefined
  known.set(session, organization)
  return `${settings.dashboardUrl}${page.replace('{org}', organization)}`
}

/** The id of the organization by session. */
const known = new WeakMap<Call['session'], string>()

/** Errors are ignored: the call itself has succeeded by now. */
async function organizationOf({ client }: Pick<Call, 'client'>): Promise<string | undefined> {
  const [organization] = await client.listOrganizations().catch(() => [])
  return organization?.id
}
