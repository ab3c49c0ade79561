import { findProtectedResource, type ProtectedResources } from './protectedResources.ts'

/** The audience that a token request specifies. */
interface TokenAudience {
  /** The other parameters of the request, and the `resource` to use. */
  readonly parameters: URLSearchParams
  /** The requested audience, if this server issues no tokens for it. */
  readonly unknown?: string
}

/**
 * Parses the audience of a token request: `resource` (RFC 8707) and `audience` are equivalent, with or without a
 * trailing slash.
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
