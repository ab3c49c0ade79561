import { legible, mistakesIn } from '@burgee/contract'
import { z } from 'zod'
import type { ApiError } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'
import { demandWebUris, refused } from './dynamicClients.ts'

/** What every client says of itself that nobody has vouched for (RFC 7591 §2), as far as this server goes by it. */
export const DynamicMetadata = z.object({
  client_name: z.string().trim().max(100).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').optional()
})

/** Where a client says what it is. */
type Part = 'document' | 'registration'

/** Reads what a client says of itself. @throws {ApiError} 400 */
export function readMetadata<T extends z.infer<typeof DynamicMetadata>>(
  schema: z.ZodType<T>,
  value: unknown,
  part: Part
): T {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw unfit(part, mistakesIn(error, value, part).join('; '))
  demandWebUris(data.redirect_uris)
  return data
}

/** What a client is kept as that says this of itself: it is called after an address unless it has a name that can be read. */
export function describedBy(
  { client_name = '', redirect_uris }: z.infer<typeof DynamicMetadata>,
  address: string
): Pick<StoredClient, 'name' | 'redirectUris'> {
  return { name: legible(client_name) || new URL(address).host, redirectUris: redirect_uris }
}

/** What a client says of itself will not do. */
export function unfit(part: Part, mistake: string): ApiError {
  return refused('invalid_client_metadata', `the ${part} of this client will not do: ${mistake}`)
}
