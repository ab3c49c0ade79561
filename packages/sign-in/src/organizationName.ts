import { ApiError, type Client } from '@burgee/contract/client'

/**
 * Returns the name of the organization; undefined if the account lacks the permission to read it. The request also
 * verifies the credentials.
 */
export async function organizationName(client: Pick<Client, 'listOrganizations'>): Promise<string | undefined> {
  const organizations = await client.listOrganizations().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
  return organizations[0]?.display_name
}
