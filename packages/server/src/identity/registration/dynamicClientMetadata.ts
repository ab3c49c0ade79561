import { formatIssues, sanitizeLine } from '@burgee/kit/text'
import { z } from 'zod'
import type { HttpError } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'
import { assertWebRedirectUris, registrationError } from './registerDynamicClient.ts'

/** The metadata of an unverified client (RFC 7591 §2) that this server uses. */
export const DynamicClientMetadata = z.object({
  client_name: z.string().trim().max(100).optional(),
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z.array(z.string()).optional()
})

/** The source of client metadata: its document, or the body of its registration. */
type MetadataSource = 'document' | 'registration'

/** Parses client metadata. @throws {HttpError} 400 */
export function parseClientMetadata<T extends z.infer<typeof DynamicClientMetadata>>(
  schema: z.ZodType<T>,
  value: unknown,
  part: MetadataSource
): T {
  const { success, data, error } = schema.safeParse(value)
  if (!success) throw invalidClientMetadata(part, formatIssues(error, value, part).join('; '))
  assertWebRedirectUris(data.redirect_uris)
  return data
}

/** Converts client metadata to a stored client. Its display name is its host unless the given name is printable. */
export function toClientFields(
  { client_name = '', redirect_uris, grant_types = [] }: z.infer<typeof DynamicClientMetadata>,
  address: string
): Pick<StoredClient, 'name' | 'redirectUris' | 'hasDeviceGrant'> {
  return {
    name: sanitizeLine(client_name) || new URL(address).host,
    redirectUris: redirect_uris,
    hasDeviceGrant: grant_types.includes(DEVICE_CODE_GRANT)
  }
}

/** Creates the error for invalid client metadata. */
export function invalidClientMetadata(part: MetadataSource, issue: string): HttpError {
  return registrationError('invalid_client_metadata', `the ${part} of this client is invalid: ${issue}`)
}
