import type { Permission } from '@burgee/contract'
import type { ApiClient, CreateApiClient, RoleGrant, UpdateApiClient } from '@burgee/contract/schemas'
import { describeGrant, type ProjectNames } from '../../components/access/accessWords.ts'
import { isSameGrants } from '../../components/access/grantRows.ts'
import {
  type TypedRestrictions,
  toRestrictions,
  toTyped,
  unrestricted,
  withoutNull
} from '../../components/keys/restrictions.ts'

/** What a client is for. */
export type ClientKind = 'program' | 'application' | 'assistant'

/** The kinds in words. */
export const clientKindTitles: Readonly<Record<ClientKind, string>> = {
  program: 'program',
  application: 'application',
  assistant: 'assistant'
}

/** What a client is for: a program acts for itself, the others for people who sign in to them. */
export function kindOf({ redirectUris, isAssistant }: Pick<ApiClient, 'redirectUris' | 'isAssistant'>): ClientKind {
  if (redirectUris.length === 0) return 'program'
  return isAssistant ? 'assistant' : 'application'
}

/** What a client may do, in words. */
export function describeAccess(
  { roles, permissions, isPublic, redirectUris }: ApiClient,
  projects: ProjectNames
): string {
  const names = roles?.map((grant) => describeGrant(grant, projects))
  const own = names === undefined ? 'all permissions' : names.join(', ')
  const parts = [
    ...(redirectUris.length > 0 ? ['permissions of the person'] : []),
    ...(isPublic || own === '' ? [] : [redirectUris.length > 0 ? `for itself: ${own}` : own]),
    ...(permissions
      ? [permissions.length === 1 ? 'at most 1 permission' : `at most ${permissions.length} permissions`]
      : [])
  ]
  return parts.join('; ') || 'none'
}

/** A client as its form shows it. */
export interface ClientForm {
  readonly name: string
  /** One redirect address on each line. */
  readonly addresses: string
  readonly isAssistant: boolean
  /** The roles of the client when it acts for itself; `undefined`: everything. */
  readonly roles: readonly RoleGrant[] | undefined
  /** The most that it may do; `undefined`: no limit. */
  readonly permissions: ReadonlySet<Permission> | undefined
  readonly restrictions: TypedRestrictions
}

/** A new client. A program starts with a role; what people sign in to has the roles of the people. */
export const newClient: ClientForm = {
  name: '',
  addresses: '',
  isAssistant: false,
  roles: [{ role: 'member' }],
  permissions: undefined,
  restrictions: unrestricted
}

/** What the form shows of a client. */
export function toClientForm(client: ApiClient): ClientForm {
  const { name, redirectUris, isAssistant, roles, permissions } = client
  return {
    name,
    addresses: redirectUris.join('\n'),
    isAssistant,
    roles,
    permissions: permissions && new Set(permissions),
    restrictions: toTyped(client)
  }
}

/** The update that the form asks for; `undefined` if nothing is changed. */
export function changesOf(client: ApiClient, form: ClientForm): UpdateApiClient | undefined {
  const before = toClientForm(client)
  const { expiry, networks } = form.restrictions
  const restrictions = toRestrictions(form.restrictions, 'server')
  const changes: UpdateApiClient = {
    ...(form.name.trim() === before.name ? {} : { name: form.name.trim() }),
    ...(isSameText(toAddresses(form.addresses), client.redirectUris)
      ? {}
      : { redirectUris: toAddresses(form.addresses) }),
    ...(form.isAssistant === before.isAssistant ? {} : { isAssistant: form.isAssistant }),
    ...(isSameRoles(form.roles, before.roles) ? {} : { roles: form.roles ? [...form.roles] : null }),
    ...(isSamePermissions(form.permissions, before.permissions)
      ? {}
      : { permissions: form.permissions ? [...form.permissions] : null }),
    ...(expiry === before.restrictions.expiry ? {} : { expiresAt: restrictions.expiresAt ?? null }),
    ...(networks === before.restrictions.networks ? {} : { allowedNetworks: restrictions.allowedNetworks ?? null })
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** Whether an update ends the tokens of a client and the consents of its people. */
export function endsTokens(changes: UpdateApiClient): boolean {
  return ['redirectUris', 'permissions', 'isAssistant'].some((name) => name in changes)
}

/** The body that creates a client. `isPublic`: it cannot keep a secret. */
export function toNewClient(
  form: ClientForm,
  { kind, isPublic, clientId }: { readonly kind: ClientKind; readonly isPublic: boolean; readonly clientId: string }
): CreateApiClient {
  const isProgram = kind === 'program'
  const { expiresAt, allowedNetworks } = withoutNull(toRestrictions(form.restrictions, 'server'))
  return {
    name: form.name.trim(),
    ...(clientId.trim() === '' ? {} : { clientId: clientId.trim() }),
    // A client that acts only for people needs no role of its own.
    ...(isProgram ? (form.roles ? { roles: [...form.roles] } : {}) : { roles: [] }),
    ...(isProgram ? {} : { redirectUris: toAddresses(form.addresses), isPublic, isAssistant: kind === 'assistant' }),
    ...(form.permissions ? { permissions: [...form.permissions] } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(allowedNetworks === undefined ? {} : { allowedNetworks })
  }
}

/** The addresses of a text with one on each line. */
function toAddresses(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

function isSameText(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n')
}

function isSameRoles(one: ClientForm['roles'], other: ClientForm['roles']): boolean {
  return one === undefined || other === undefined ? one === other : isSameGrants(one, other)
}

function isSamePermissions(one: ClientForm['permissions'], other: ClientForm['permissions']): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.size === other.size && [...one].every((permission) => other.has(permission))
}
