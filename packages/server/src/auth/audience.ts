import { resourceNamed } from './resources.ts'

/** What a request says of the API that it wants a token for. */
interface Audience {
  /** Its other parameters, and the APIs that it names as `resource`. */
  readonly parameters: URLSearchParams
  /** A name that means none of them. */
  readonly unknown?: string
}

/**
 * Reads which API a request is about: `resource` (RFC 8707) and `audience` (`management.md` §2) say the same, with the
 * slash at the end or without.
 */
export function audienceIn(given: URLSearchParams, publicUrl: string): Audience {
  const parameters = new URLSearchParams(given)
  const named = ['audience', 'resource'].flatMap((name) => given.getAll(name)).filter(Boolean)
  parameters.delete('audience')
  parameters.delete('resource')
  const unknown = named.find((name) => resourceNamed(name, publicUrl) === undefined)
  if (unknown !== undefined) return { parameters, unknown }
  for (const resource of new Set(named.flatMap((name) => resourceNamed(name, publicUrl) ?? []))) {
    parameters.append('resource', resource)
  }
  return { parameters }
}
