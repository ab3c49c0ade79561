import type { Call } from './call.ts'

/** The address of a page of the dashboard; nothing where there is none, or nobody tells which organization the page is of (`mcp.md` §1.2). */
export async function dashboardLink(page: string | undefined, call: Call): Promise<string | undefined> {
  const { settings, session } = call
  // Pages are found by keys; a call may have named an id.
  const isById = /\/[0-9a-f]{24}(\/|$)/.test(page ?? '')
  if (page === undefined || isById || settings.dashboardUrl === '') return undefined
  const organization = known.get(session) ?? (await organizationOf(call))
  if (organization === undefined) return undefined
  known.set(session, organization)
  return `${settings.dashboardUrl}${page.replace('{org}', organization)}`
}

/** Session → the id of the organization, which stays the same. */
const known = new WeakMap<Call['session'], string>()

/** What the tool was called for is done by now: no failure to name a page may hide that. */
async function organizationOf({ client }: Pick<Call, 'client'>): Promise<string | undefined> {
  const [organization] = await client.listOrganizations().catch(() => [])
  return organization?.id
}
