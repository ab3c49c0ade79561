import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** What is kept of a secret that somebody chose: enough to recognise it, not to find it out. As in `scrypt$14$8$1$<salt>$<hash>`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(secret, salt, { log2N: LOG2_N, r: R, p: P })
  return ['scrypt', LOG2_N, R, P, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** What is kept of a secret of 32 random bytes: nobody finds that out of its hash, however quick it is. As in `sha256$<hash>`. */
export function hashRandomSecret(secret: string): string {
  return `sha256$${digestOf(secret).toString('base64url')}`
}

/** Whether a secret is tried against this verifier at once, and not in about 35 ms. */
export function isFastHash(verifier: string): boolean {
  return verifier.startsWith('sha256$')
}

/** Whether this is the secret that a verifier was made of. */
export async function verifySecret(secret: string, verifier: string): Promise<boolean> {
  if (isFastHash(verifier)) {
    const expected = Buffer.from(verifier.slice('sha256$'.length), 'base64url')
    return timingSafeEqual(digestOf(secret), expected)
  }
  const [scheme, log2N, r, p, salt = '', hash = ''] = verifier.split('$')
  if (scheme !== 'scrypt') throw new Error(`a secret is kept in a form that is not known: ${scheme}`)
  const expected = Buffer.from(hash, 'base64url')
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  return timingSafeEqual(await derive(secret, Buffer.from(salt, 'base64url'), cost), expected)
}

// About 35 ms and 16 MiB for each secret that is tried, on a thread of its own.
const LOG2_N = 14
const R = 8
const P = 1
const HASH_BYTES = 32

interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** What secrets of unknown clients are tried against, so that the time they take does not tell them from known ones. */
export const DUMMY_HASH = `scrypt$${LOG2_N}$${R}$${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Ends when the last secret has been tried. One at a time: files are written on the same few threads, and must not wait for secrets. */
let turn: Promise<unknown> = Promise.resolve()

function derive(secret: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const derived = turn.then(() => deriveNow(secret, salt, cost))
  turn = derived.catch(() => {})
  return derived
}

function deriveNow(secret: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p }
  // The HMAC inside scrypt takes a secret with zeros behind it for the same, and a long one for its hash.
  return new Promise((resolve, reject) => {
    scrypt(digestOf(secret), salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
