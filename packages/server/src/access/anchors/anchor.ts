import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { AuditAnchor } from '@burgee/contract/schemas'

/** Parses an Ed25519 private key in PEM; returns `undefined` for other text. */
export function parseAnchorKey(pem: string): KeyObject | undefined {
  return parseEd25519(() => createPrivateKey(pem.replaceAll('\\n', '\n')))
}

/** Parses an Ed25519 public key in PEM; returns `undefined` for other text. */
export function parseAnchorPublicKey(pem: string): KeyObject | undefined {
  return parseEd25519(() => createPublicKey(pem))
}

function parseEd25519(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse()
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

/** Signs the head of an audit log. */
export function signAnchor(named: Omit<AuditAnchor, 'keyId' | 'signature'>, key: KeyObject): AuditAnchor {
  const signature = sign(undefined, Buffer.from(messageOf(named)), key).toString('base64')
  return { ...named, keyId: keyIdOf(createPublicKey(key)), signature }
}

/** Whether the holder of a key signed an anchor. */
export function isSignedBy(anchor: AuditAnchor, publicKey: KeyObject): boolean {
  return verify(undefined, Buffer.from(messageOf(anchor)), publicKey, Buffer.from(anchor.signature, 'base64'))
}

/** The signed bytes: five lines, so that other programs can produce them. */
function messageOf({ organization, position, head, date }: Omit<AuditAnchor, 'keyId' | 'signature'>): string {
  return `${['burgee-audit-anchor-1', organization, position, head, date].join('\n')}\n`
}

/** Returns the id of a public key in anchors. */
export function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex').slice(0, 16)
}
