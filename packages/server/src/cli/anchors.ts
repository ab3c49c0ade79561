import { readFile } from 'node:fs/promises'
import { AuditAnchor } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { isSignedBy, parseAnchorPublicKey } from '../access/anchors/anchor.ts'
import type { AnchorVerification } from '../access/anchors/verifyAnchors.ts'

/**
 * Reads the anchors of a file with a JSON object per line: anchors, bodies that the server posted, or lines of its log.
 * Other lines are skipped.
 * @param keyPath A file with the public key; empty to skip the check of signatures.
 * @throws {UsageError} if the file has no anchor, or an anchor was not signed with the key.
 */
export async function readAnchors(
  path: string,
  keyPath: string,
  organization: string
): Promise<readonly AuditAnchor[]> {
  const lines = (await readText(path)).split('\n')
  const anchors = lines.flatMap((line) => parseAnchor(line) ?? []).filter((one) => one.organization === organization)
  if (anchors.length === 0) throw new UsageError(`${path} has no anchor of the audit log of "${organization}"`)
  if (keyPath === '') return anchors
  const key = await readText(keyPath)
  // The private key can sign a forged log, so it should not be where logs are verified.
  if (key.includes('PRIVATE KEY')) {
    throw new UsageError(
      `${keyPath} contains a private key, which only the server should have: give the public key (openssl pkey -in ${keyPath} -pubout)`
    )
  }
  const publicKey = parseAnchorPublicKey(key)
  if (!publicKey) throw new UsageError(`${keyPath} should contain an Ed25519 public key in PEM`)
  const unsigned = anchors.find((anchor) => !isSignedBy(anchor, publicKey))
  if (unsigned) {
    const { date, position, keyId } = unsigned
    throw new UsageError(`the anchor of ${date} (entry ${position}, key ${keyId}) was not signed with ${keyPath}`)
  }
  return anchors
}

/** Describes whether the log matches its anchors, and if not, from which entry on it may have been changed. */
export function formatAnchors({ match, matches, mismatch }: AnchorVerification): string {
  const known = match && `entry ${match.position} matches the anchor of ${match.date}`
  if (!mismatch) return `anchored: ${matches} ${matches === 1 ? 'anchor matches' : 'anchors match'}; ${known}`
  const { anchor, isMissing, since } = mismatch
  const problem = isMissing ? 'is missing, unlike in' : 'differs from'
  const difference = `entry ${anchor.position} ${problem} the anchor of ${anchor.date}`
  const date = since.date === undefined ? '' : ` (${since.date})`
  return `does not match its anchors from entry ${since.position} on${date}: ${difference}; ${known ?? 'no earlier anchor matches'}`
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause) => {
    throw new UsageError(`${path} cannot be read`, { cause })
  })
}

function parseAnchor(line: string): AuditAnchor | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const { auditAnchor, anchor } = Object(value)
    return AuditAnchor.safeParse(auditAnchor ?? anchor ?? value).data
  } catch {
    return undefined
  }
}
