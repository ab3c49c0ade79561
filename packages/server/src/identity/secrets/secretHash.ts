import { createHash, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { IdGenerator } from '../../lib/idGenerator.ts'

/**
 * Hashes secrets that people chose, with scrypt: `scrypt$14$8$5$<salt>$<hash>`. `hash` and `verify` take about 0.2
 * seconds on a thread that file writes share, so call them through `runDerivation`.
 */
export interface SecretHasher {
  readonly hash: (secret: string) => Promise<string>
  /** Whether a secret matches a hash: scrypt of any cost, or a fast hash. */
  readonly verify: (secret: string, verifier: string) => Promise<boolean>
  /** Whether a hash has a cost other than the current one. */
  readonly isOutdated: (verifier: string) => boolean
  /** The hash that secrets of unknown clients are compared with, so that timing does not reveal which clients exist. */
  readonly dummyHash: string
}

/** The cost of scrypt: N = 2^`log2N`, the block size `r`, the parallelization `p` (RFC 7914). */
export interface HashCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/**
 * The recommendation of OWASP with 16 MiB of memory. It is as strong as N = 2^17 with p = 1, which needs 128 MiB.
 * Hashes contain their cost, so this can change: see `isOutdated`.
 */
export const HASH_COST: HashCost = { log2N: 14, r: 8, p: 5 }

/** Creates a hasher with a cost. */
export function createSecretHasher(cost: HashCost, { bytes }: Pick<IdGenerator, 'bytes'>): SecretHasher {
  const prefix = formatCost(cost)
  const isOutdated = (verifier: string) => !isFastHash(verifier) && !verifier.startsWith(`${prefix}$`)
  return {
    hash: async (secret) => {
      const salt = bytes(16)
      const hash = await derive(secret, salt, cost)
      return [prefix, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    verify: async (secret, verifier) => {
      if (isFastHash(verifier)) {
        const expected = Buffer.from(verifier.slice('sha256$'.length), 'base64url')
        return timingSafeEqual(digestOf(secret), expected)
      }
      const [scheme, log2N, r, p, salt = '', hash = ''] = verifier.split('$')
      if (scheme !== 'scrypt') throw new Error(`unknown secret hash scheme: ${scheme}`)
      const expected = Buffer.from(hash, 'base64url')
      const stored = { log2N: Number(log2N), r: Number(r), p: Number(p) }
      const isCorrect = timingSafeEqual(await derive(secret, Buffer.from(salt, 'base64url'), stored), expected)
      // Otherwise the shorter time of an outdated hash would reveal that the client or person exists.
      if (!isCorrect && isOutdated(verifier)) await derive(secret, Buffer.alloc(16), cost)
      return isCorrect
    },
    isOutdated,
    dummyHash: `${prefix}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  }
}

/** Hashes a secret of 32 random bytes with SHA-256: `sha256$<hash>`. Its entropy makes a slow hash unnecessary. */
export function hashRandomSecret(secret: string): string {
  return `sha256$${digestOf(secret).toString('base64url')}`
}

/** Whether verification against this hash is fast; scrypt is slow. */
export function isFastHash(verifier: string): boolean {
  return verifier.startsWith('sha256$')
}

const HASH_BYTES = 32

function formatCost({ log2N, r, p }: HashCost): string {
  return `scrypt$${log2N}$${r}$${p}`
}

function derive(secret: string, salt: Buffer, { log2N, r, p }: HashCost): Promise<Buffer> {
  const N = 2 ** log2N
  // The default limit is exactly the memory of the largest array, and scrypt needs a little more.
  const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r }
  // HMAC pads secrets with zeros and replaces long ones by their hash, which would make different secrets equal.
  return new Promise((resolve, reject) => {
    scrypt(digestOf(secret), salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
