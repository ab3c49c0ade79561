import { findProtectedResource, type ProtectedResources } from './protectedResources.ts'

/** What a request says of what it wants a token for. */
interface TokenAudience {
  /** Its other parameters, and what it names as `resource`. */
  readonly parameters: URLSearchParams
  /** A name that means nothing there are tokens for. */
  readonly unknown?: string
}

/**
 * Reads what a request wants a token for: `resource` (RFC 8707) and `audience` (`management.md` §2) say the same, with the
 * slash at the end or without.
 */
export function parseTokenAudience(given: URLSearchParams, resources: ProtectedResources): TokenAudience {
  const parameters = new URLSearchParams(given)
  const named = ['audience', 'resource'].flatMap((name) => given.getAll(name)).filter(Boolean)
  parameters.delete('audience')
  parameters.delete('resource')
  const unknown = named.find((name) => findProtectedResource(name, resources) === undefined)
  if (unknown !== undefined) return { parameters, unknown }
  for (const resource of new Set(named.flatMap((name) => findProtectedResource(name, resources) ?? []))) {
    parameters.append('resource', resource)
  }
  return { parameters }
}
