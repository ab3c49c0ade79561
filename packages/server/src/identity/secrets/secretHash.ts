import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { serialize } from '@burgee/kit'

/** Hashes a secret that a person chose, with scrypt: `scrypt$14$8$1$<salt>$<hash>`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(secret, salt, { log2N: LOG2_N, r: R, p: P })
  return ['scrypt', LOG2_N, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Hashes a secret of 32 random bytes with SHA-256: `sha256$<hash>`. Its entropy makes a slow hash unnecessary. */
export function hashRandomSecret(secret: string): string {
  return `sha256$${digestOf(secret).toString('base64url')}`
}

/** Whether verification against this hash is fast; scrypt takes about 35 ms. */
export function isFastHash(verifier: string): boolean {
  return verifier.startsWith('sha256$')
}

/** Whether a secret matches a hash. */
export async function verifySecret(secret: string, verifier: string): Promise<boolean> {
  if (isFastHash(verifier)) {
    const expected = Buffer.from(verifier.slice('sha256$'.length), 'base64url')
    return timingSafeEqual(digestOf(secret), expected)
  }
  const [scheme, log2N, r, p, salt = '', hash = ''] = verifier.split('$')
  if (scheme !== 'scrypt') throw new Error(`unknown secret hash scheme: ${scheme}`)
  const expected = Buffer.from(hash, 'base64url')
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  return timingSafeEqual(await derive(secret, Buffer.from(salt, 'base64url'), cost), expected)
}

// About 35 ms and 16 MiB per attempt, on a thread of the pool.
const LOG2_N = 14
const R = 8
const P = 1
const HASH_BYTES = 32

interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** The hash that secrets of unknown clients are compared with, so that timing does not reveal which clients exist. */
export const DUMMY_HASH = `scrypt$${LOG2_N}$${R}$${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Runs one derivation at a time, because file writes share the thread pool. */
const derivationQueue = serialize()

function derive(secret: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return derivationQueue(() => runScrypt(secret, salt, cost))
}

function runScrypt(secret: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p }
  // HMAC pads secrets with zeros and replaces long ones by their hash, which would make different secrets equal.
  return new Promise((resolve, reject) => {
    scrypt(digestOf(secret), salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
