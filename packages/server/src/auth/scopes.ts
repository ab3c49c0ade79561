import { apiScopes, EVERYTHING, limitOf } from '@burgee/contract'

/** What can be asked for about the person who signs in (OpenID Connect). */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** The scope of a request, with what is meant where no permission is named (RFC 6749 §3.3). */
export function withDefault(scope = ''): string {
  const asked = namesIn(scope)
  const isAboutApi = asked.some((name) => !isOneOf(identityScopes, name))
  return (isAboutApi ? asked : [...asked, EVERYTHING]).join(' ')
}

/** The names in a scope that mean nothing here. */
export function unknownIn(scope = ''): readonly string[] {
  return namesIn(scope).filter((name) => !isOneOf(identityScopes, name) && !isOneOf(apiScopes, name))
}

/** The names in a scope that one which was granted does not cover. */
export function exceeding(scope: string, granted = ''): readonly string[] {
  const limit = limitOf(granted)
  const covered: readonly string[] = [...namesIn(granted), ...(limit ?? apiScopes)]
  return namesIn(scope).filter((name) => !covered.includes(name))
}

function namesIn(scope: string): readonly string[] {
  return scope.split(' ').filter(Boolean)
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
