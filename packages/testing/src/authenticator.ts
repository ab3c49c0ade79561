import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** Deviations of a software authenticator from correct behaviour. */
interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isUserVerified?: boolean
  /** The signature counter. Default: one more than the last. */
  readonly counter?: number
  /** The id of the credential in the response. */
  readonly id?: string
  /** The user handle in the response. Default: none. */
  readonly userHandle?: string
}

/** A software authenticator with one passkey (ES256, attestation `none`). */
export interface SoftwareAuthenticator {
  /** Responds to `navigator.credentials.create`, as JSON. */
  readonly create: (challenge: string, deviation?: Deviation) => Readonly<Record<string, unknown>>
  /** Responds to `navigator.credentials.get`, as JSON. */
  readonly get: (challenge: string, deviation?: Deviation) => Readonly<Record<string, unknown>>
  readonly id: string
}

/** Creates an authenticator for a page of this origin. */
export function createAuthenticator(pageOrigin: string): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  let signatures = 0

  const clientData = (type: string, challenge: string, { origin = pageOrigin }: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (attested: Buffer, deviation: Deviation) => {
    const { rpId = new URL(pageOrigin).hostname, isUserVerified = true, counter = ++signatures } = deviation
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count, attested])
  }
  const credential = (response: object, given = id) => ({
    id: given,
    rawId: given,
    type: 'public-key',
    response,
    clientExtensionResults: {}
  })
  return {
    id,
    create: (challenge, deviation = {}) => {
      const length = Buffer.from([0, rawId.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, rawId, cbor(toCoseKey(publicKey))])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(attested, deviation)]
      ])
      return credential({
        clientDataJSON: text(clientData('webauthn.create', deviation.challenge ?? challenge, deviation)),
        attestationObject: text(cbor(attestation)),
        transports: ['internal']
      })
    },
    get: (challenge, deviation = {}) => {
      const data = authenticatorData(Buffer.alloc(0), deviation)
      const client = clientData('webauthn.get', deviation.challenge ?? challenge, deviation)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const signature = createSign('sha256').update(signed).sign(privateKey)
      const { id: given, userHandle } = deviation
      const signedData = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) }
      return credential({ ...signedData, ...(userHandle === undefined ? {} : { userHandle }) }, given)
    }
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}

/** An ES256 public key as COSE defines it (RFC 9053 §7.1.1). */
function toCoseKey(key: KeyObject): Map<number, unknown> {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')]
  ])
}

/** Encodes small integers, texts, bytes and maps in CBOR (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  throw new Error(`cannot encode ${typeof value}`)
}

function head(type: number, size: number): Buffer {
  const major = type << 5
  if (size < 24) return Buffer.from([major | size])
  return size < 256 ? Buffer.from([major | 24, size]) : Buffer.from([major | 25, size >> 8, size & 255])
}
