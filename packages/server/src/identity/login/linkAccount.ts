import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { toDisplayName } from '../displayName.ts'
import { hasProvenAddress, insertUser } from '../people/insertUser.ts'
import { isFormerSubject } from '../upstream/formerSubjects.ts'
import { toStoredIdentity, updateFromClaims } from '../upstream/updateFromClaims.ts'
import type { UpstreamClaims } from '../upstream/upstreamClaims.ts'
import { InteractionError } from './pages/interactionError.ts'

/**
 * Returns the person with the identity, name and groups of these claims. At the first login, links the account that
 * SCIM provisioned for the identity, else the account with the same e-mail address if the provider has verified the
 * address, the account is not linked yet, and it was never taken from this person, else creates an account. Linking
 * removes the password and the second factors and revokes existing logins, because the creator of the account may have
 * them.
 * @throws {InteractionError} if no account can be linked or created, or it is disabled.
 */
export function linkAccount(claims: UpstreamClaims, { edit, log, organization }: Dependencies): Promise<StoredUser> {
  return edit(serverCaller(organization), async (change) => {
    const { items } = await change.store.collection('users').list({ where: { _organization: organization } })
    const known = items.find(({ identity }) => {
      return identity?.issuer === claims.issuer && identity.subject === claims.subject
    })
    const user = known ?? findProvisionedUser(claims, items) ?? findLinkableUser(claims, items)
    if (user?.isDisabled) throw refused('Your account is disabled. Contact an administrator of Burgee.')
    return user ? updateFromClaims(user, claims, change, log) : add(claims, organization, change)
  })
}

interface Dependencies {
  readonly edit: EditRunner
  readonly log: Logger
  /** The key of the organization that new people join. */
  readonly organization: string
}

/** Returns the account that SCIM created for this identity: its `externalId` is the subject, or the id of Entra ID. */
function findProvisionedUser(
  { subject, objectId }: UpstreamClaims,
  people: readonly StoredUser[]
): StoredUser | undefined {
  return people.find(({ identity, externalId, provisioning }) => {
    return !identity && provisioning && externalId !== undefined && [subject, objectId].includes(externalId)
  })
}

/**
 * Returns the account with the e-mail address of the claims, if it can be linked to them; none if the account of
 * another person gives up the address, which the provider has verified only for this one (`insertUser`).
 * @throws {InteractionError}
 */
function findLinkableUser(claims: UpstreamClaims, people: readonly StoredUser[]): StoredUser | undefined {
  const user = people.find(({ email }) => email === claims.email)
  if (user && isFormerSubject(user, claims)) {
    throw refused(`The account for ${user.email} belongs to another person now. Contact an administrator of Burgee.`)
  }
  if (!user || (claims.isEmailVerified && !user.identity)) return user
  if (claims.isEmailVerified && user.identity?.issuer === claims.issuer && !hasProvenAddress(user)) return undefined
  throw refused(
    user.identity
      ? `Another person already signs in as ${user.email}. Contact an administrator of Burgee.`
      : `An account for ${user.email} already exists, and your identity provider has not verified your address. Contact an administrator of Burgee.`
  )
}

function add(claims: UpstreamClaims, organization: string, change: Edit): Promise<StoredUser> {
  const { email, groups } = claims
  if (email === undefined) {
    throw refused(
      'The identity provider did not send your e-mail address, which is required. Contact an administrator of Burgee.'
    )
  }
  const identity = toStoredIdentity(claims, email)
  const name = claims.name ?? toDisplayName(email)
  return insertUser(change, { email, name, roles: [], groups, identity, _organization: organization })
}

function refused(message: string): InteractionError {
  return new InteractionError({ status: 403, title: 'You cannot sign in', message })
}
