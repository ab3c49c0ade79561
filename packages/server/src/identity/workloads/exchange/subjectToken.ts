import { findRepeatedMember } from '@burgee/kit/text'
import { z } from 'zod'
import { SubjectTokenRefusal } from './refusal.ts'

/** The largest subject token, in bytes. */
const MAX_BYTES = 16 * 1024

/** The accepted signature algorithms. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'] as const

/** An accepted signature algorithm. */
export type Algorithm = (typeof algorithms)[number]

/** The claims of a subject token. */
export type Claims = Readonly<Record<string, unknown>>

/** A well-formed subject token. Its signature has not been verified. */
export interface SubjectToken {
  readonly text: string
  readonly alg: Algorithm
  readonly kid: string | undefined
  readonly issuer: string
  readonly claims: Claims
}

const Header = z.looseObject({
  alg: z.string(),
  kid: z.string().optional(),
  typ: z
    .string()
    .regex(/^(application\/)?jwt$/i)
    .optional()
})

/** The header parameters that refer to keys, or require extensions. */
const refusedMembers = ['crit', 'jku', 'x5u', 'jwk']

/**
 * Parses a subject token before anything is known about its issuer. Only the canonical encoding is accepted, so that
 * each token has exactly one serialization.
 * @throws {SubjectTokenRefusal}
 */
export function parseSubjectToken(text: string): SubjectToken {
  const parts = text.split('.')
  if (Buffer.byteLength(text) > MAX_BYTES || parts.length !== 3) throw new SubjectTokenRefusal('malformed_token')
  const [head, body] = parts.map(decode)
  const header = Header.safeParse(parse(head)).data
  const claims = z.record(z.string(), z.unknown()).safeParse(parse(body)).data
  if (!header || !claims) throw new SubjectTokenRefusal('malformed_token')
  const alg = algorithms.find((name) => name === header.alg)
  if (!alg) throw new SubjectTokenRefusal('unsupported_algorithm')
  if (refusedMembers.some((name) => Object.hasOwn(header, name))) throw new SubjectTokenRefusal('unsupported_header')
  if (typeof claims.iss !== 'string') throw new SubjectTokenRefusal('unknown_issuer')
  return { text, alg, kid: header.kid, issuer: claims.iss, claims }
}

function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  if (part === '' || bytes.toString('base64url') !== part) throw new SubjectTokenRefusal('malformed_token')
  return bytes
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    // Parsers disagree on which of two members of one name counts.
    if (findRepeatedMember(text) === undefined) return value
  } catch {
    // Not UTF-8, or not JSON.
  }
  throw new SubjectTokenRefusal('malformed_token')
}
