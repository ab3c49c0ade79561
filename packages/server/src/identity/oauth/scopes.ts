import { apiScopes, FULL_ACCESS_SCOPE, permissionsInScope } from '@burgee/contract'

/** The OpenID Connect scopes. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Returns the scope of a request, with the default where it names no permission (RFC 6749 §3.3). */
export function withDefaultScope(scope = ''): string {
  const asked = namesIn(scope)
  const isAboutApi = asked.some((name) => !isOneOf(identityScopes, name))
  return (isAboutApi ? asked : [...asked, FULL_ACCESS_SCOPE]).join(' ')
}

/** Returns the unknown names in a scope. */
export function findUnknownScopes(scope = ''): readonly string[] {
  return namesIn(scope).filter((name) => !isOneOf(identityScopes, name) && !isOneOf(apiScopes, name))
}

/** Returns the names in a scope that a granted scope does not cover. */
export function findExceedingScopes(scope: string, granted = ''): readonly string[] {
  const limit = permissionsInScope(granted)
  const covered: readonly string[] = [...namesIn(granted), ...(limit ?? apiScopes)]
  return namesIn(scope).filter((name) => !covered.includes(name))
}

function namesIn(scope: string): readonly string[] {
  return scope.split(' ').filter(Boolean)
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
