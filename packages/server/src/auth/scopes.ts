import { type Permission, permissions } from '@burgee/contract'

/** What can be asked for about the person who signs in (OpenID Connect). */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Asks for everything that the person may do. It is what those mean who name no permission. */
export const EVERYTHING = 'everything'

/** What can be asked for of the management API. */
export const apiScopes = [EVERYTHING, ...permissions] as const

/** The scope of a request, with what is meant where no permission is named (RFC 6749 §3.3). */
export function withDefault(scope = ''): string {
  const asked = namesIn(scope)
  const isAboutApi = asked.some((name) => !isOneOf(identityScopes, name))
  return (isAboutApi ? asked : [...asked, EVERYTHING]).join(' ')
}

/** What a token of this scope may be good for at most; anything when it names no permission. */
export function limitOf(scope = ''): ReadonlySet<Permission> | undefined {
  const asked = namesIn(scope)
  const named = permissions.filter((permission) => asked.includes(permission))
  return asked.includes(EVERYTHING) || named.length === 0 ? undefined : new Set(named)
}

/** The names in a scope that mean nothing here. */
export function unknownIn(scope = ''): readonly string[] {
  return namesIn(scope).filter((name) => !isOneOf(identityScopes, name) && !isOneOf(apiScopes, name))
}

function namesIn(scope: string): readonly string[] {
  return scope.split(' ').filter(Boolean)
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
