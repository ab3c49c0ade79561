import { formatIssues, sanitizeLine } from '@burgee/kit/text'
import { z } from 'zod'
import type { ApiError } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources.ts'
import { assertWebRedirectUris, registrationError } from './registerDynamicClient.ts'

/** What every client says of itself that nobody has vouched for (RFC 7591 §2), as far as this server goes by it. */
export const DynamicClientMetadata = z.object({
  client_name: z.string().trim().max(100).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').optional()
})

/** Where a client says what it is. */
type Part = 'document' | 'registration'

/** Reads what a client says of itself. @throws {ApiError} 400 */
export function parseClientMetadata<T extends z.infer<typeof DynamicClientMetadata>>(
  schema: z.ZodType<T>,
  value: unknown,
  part: Part
): T {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw invalidClientMetadata(part, formatIssues(error, value, part).join('; '))
  assertWebRedirectUris(data.redirect_uris)
  return data
}

/** What a client is kept as that says this of itself: it is called after an address unless it has a name that can be read. */
export function toClientFields(
  { client_name = '', redirect_uris }: z.infer<typeof DynamicClientMetadata>,
  address: string
): Pick<StoredClient, 'name' | 'redirectUris'> {
  return { name: sanitizeLine(client_name) || new URL(address).host, redirectUris: redirect_uris }
}

/** What a client says of itself will not do. */
export function invalidClientMetadata(part: Part, mistake: string): ApiError {
  return registrationError('invalid_client_metadata', `the ${part} of this client will not do: ${mistake}`)
}
