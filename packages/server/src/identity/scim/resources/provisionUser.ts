import { UserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { StoredProvisioning, StoredUser } from '../../../storage/resources/organization.ts'
import { toDisplayName } from '../../displayName.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import { ScimError } from '../protocol/scimError.ts'

/** A person in a request, parsed by the schema. */
export interface ScimUserInput extends Omit<StoredProvisioning, 'active' | 'deletedAt'> {
  readonly externalId?: string
  readonly active?: boolean
}

/** The members of a person that SCIM manages. */
export interface ProvisionedMembers
  extends Pick<StoredUser, 'email' | 'name' | 'externalId' | 'provisionedName' | 'provisioning'> {
  readonly provisionedName: string
  readonly provisioning: StoredProvisioning
}

/** Reads a parsed resource. @throws {ScimError} `invalidValue` */
export function toUserInput(resource: ScimObject): ScimUserInput {
  // `parseResource` has checked the types of all attributes of the schema.
  const { userName, externalId, name, displayName, emails, active } = resource as unknown as ScimUserInput
  if (userName.trim() === '') throw new ScimError('invalidValue', 'userName is required')
  for (const [attribute, id] of Object.entries({ userName, externalId })) {
    if (id !== undefined && id.length > MAX_ID_LENGTH) {
      const given = `${id.length}: ${formatValue(id)}`
      throw new ScimError('invalidValue', `${attribute} should have at most ${MAX_ID_LENGTH} characters, got ${given}`)
    }
  }
  if (emails && emails.length > MAX_EMAILS) {
    throw new ScimError('invalidValue', `emails should have at most ${MAX_EMAILS} values, got ${emails.length}`)
  }
  if (emails && emails.filter(({ primary }) => primary).length > 1) {
    throw new ScimError('invalidValue', 'emails should have one primary value at most')
  }
  return { userName, ...omitUndefined({ externalId, name, displayName, emails, active }) }
}

/** Returns the members of the person with this id that SCIM manages. @throws {ScimError} `invalidValue` */
export function toProvisionedMembers(input: ScimUserInput, active: boolean, id: string): ProvisionedMembers {
  const { externalId, userName, name, displayName, emails } = input
  return {
    email: toEmail(input, id),
    name: toName(input),
    ...omitUndefined({ externalId }),
    provisionedName: userName.toLowerCase(),
    provisioning: { userName, ...omitUndefined({ name, displayName, emails }), active }
  }
}

/** The maximum length of `userName` and `externalId`, by which people are looked up. */
const MAX_ID_LENGTH = 512

/** The maximum number of e-mail addresses of a person. */
const MAX_EMAILS = 20

/**
 * Returns the address: the primary one, else the one of the type work, the first one, or the login name if it is an
 * address. People without one sign in by `externalId`, and get an address that cannot exist (RFC 2606).
 */
function toEmail({ userName, emails = [] }: ScimUserInput, id: string): string {
  const preferred = emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const { data } = UserAccount.shape.email.safeParse(preferred?.value ?? userName)
  if (data !== undefined) return data.toLowerCase()
  if (preferred?.value === undefined) return `${id}@unknown.invalid`
  throw new ScimError(
    'invalidValue',
    `the preferred value of emails should be an e-mail address, got ${formatValue(preferred.value)}`
  )
}

/** Returns the first name that has a letter or digit. */
function toName({ userName, name = {}, displayName }: ScimUserInput): string {
  const full = [name.givenName, name.familyName].filter(Boolean).join(' ')
  const names = [displayName, name.formatted, full, userName].map((text = '') => toDisplayName(text))
  return names.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? (toDisplayName(userName) || 'unnamed')
}
