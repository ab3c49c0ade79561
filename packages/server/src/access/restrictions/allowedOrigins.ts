import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'

/** Normalizes the origins of a request, without duplicates. @throws {HttpError} 400 that names invalid ones. */
export function normalizeOrigins(origins: readonly string[]): string[] {
  const normalized = origins.map(normalizeOrigin)
  const issues = normalized.flatMap((origin, index) => {
    return origin === undefined ? [`allowedOrigins.${index} ${EXPECTED}, got ${formatValue(origins[index])}`] : []
  })
  if (issues.length > 0) throw badRequest(issues)
  return [...new Set(normalized.filter((origin) => origin !== undefined))]
}

const EXPECTED =
  'should be an origin such as https://app.example.com or https://*.example.com, without path, query or user'

/** Returns an origin as browsers send it (RFC 6454 §6.2), or `undefined` if the text is not an origin. */
function normalizeOrigin(text: string): string | undefined {
  const [, scheme = '', wildcard = '', authority = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/(\*\.)?([^/?#@\s*\\]+)$/i.exec(text) ?? []
  const url = `${scheme}://${authority}`
  if (authority === '' || !URL.canParse(url)) return undefined
  const { protocol, host, hostname } = new URL(url)
  // Rejects wildcards for a whole top-level domain, or for a part of an IP address.
  if (wildcard !== '' && !/^[^.:[\]]+\.[^:[\]]*[^\d.:[\]][^.:[\]]*$/.test(hostname)) return undefined
  return host === '' ? undefined : `${protocol}//${wildcard}${host.toLowerCase()}`
}

/** Compiles normalized origins to a predicate. `*` matches one label. */
export function compileOrigins(origins: readonly string[]): (origin: string) => boolean {
  const exact = new Set(origins.filter((origin) => !origin.includes(WILDCARD)))
  const patterns = origins.flatMap((origin): [string, string][] => {
    const [scheme, domain] = origin.split(WILDCARD)
    return scheme !== undefined && domain !== undefined ? [[`${scheme}//`, `.${domain}`]] : []
  })
  return (origin) => {
    if (exact.has(origin)) return true
    return patterns.some(([scheme, domain]) => {
      if (!origin.startsWith(scheme) || !origin.endsWith(domain)) return false
      return LABEL.test(origin.slice(scheme.length, -domain.length))
    })
  }
}

const WILDCARD = '//*.'

/** One label of a host name as browsers send it. */
const LABEL = /^[a-z0-9_-]+$/
