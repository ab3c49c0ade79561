import { createHash } from 'node:crypto'
import { createAccess } from '../../../access/permissions/access.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { isExpired } from '../../../access/restrictions/expiry.ts'
import { HttpError } from '../../../lib/errors.ts'
import { isDamagedScimToken, SCIM_TOKEN_PREFIX } from '../../../lib/secrets/checksum.ts'
import { HOUR, toIsoString } from '../../../lib/time.ts'
import type { StoredScimToken } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'

/**
 * Returns the caller of SCIM with this token. It has no permission of the management API, and `<name>@scim` is its id
 * in audit entries. Records the use, at most once an hour.
 * @throws {HttpError} 401
 */
export async function findScimCaller(store: Store, token: string, now: number): Promise<TokenCaller> {
  const tokens = store.collection('scimTokens')
  const found = token === '' ? undefined : await tokens.get({ tokenDigest: digestOfToken(token) })
  if (!found) throw refused(describeRefusal(token))
  const { lastUsedAt, name } = found
  if (isExpired(found, now)) throw refused('the SCIM token has expired')
  if (lastUsedAt === undefined || Date.parse(lastUsedAt) <= now - HOUR) {
    await tokens.update(found._id, { lastUsedAt: toIsoString(now) })
  }
  return {
    id: formatScimSubject(found),
    name,
    organization: found._organization,
    actor: 'client',
    access: createAccess({ grants: [], mode: 'full', extendsToProjects: false }),
    requiredPermission: 'organization:write:settings',
    source: 'api'
  }
}

/** Formats the id of a SCIM token in audit entries and `_createdBy`. */
function formatScimSubject({ name }: Pick<StoredScimToken, 'name'>): string {
  return `${name}@scim`
}

/** Returns the digest of a token for storage. Its 256 bits of entropy make a slow hash unnecessary. */
export function digestOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function describeRefusal(token: string): string {
  if (token === '') return 'a SCIM token is missing: it belongs in the Authorization header, after "Bearer "'
  if (isDamagedScimToken(token)) return 'the SCIM token was mistyped or truncated: its checksum does not match'
  if (token.startsWith(SCIM_TOKEN_PREFIX)) return 'the SCIM token is not known: it may have been revoked'
  return `the SCIM token is not valid: it should start with ${SCIM_TOKEN_PREFIX}; other keys and tokens cannot call SCIM`
}

function refused(message: string): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer realm="SCIM"' } })
}
