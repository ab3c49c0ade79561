import { z } from 'zod'
import { DateTime, Sha256 } from '../common/fields.ts'
import { createdAt } from '../examples/shop.ts'

/** The head of an audit log at a time, signed with a key that is kept elsewhere (docs/operations/audit-log.md). */
export const AuditAnchor = z
  .object({
    organization: z.string().meta({ description: 'The key of the organization.' }),
    position: z.int().meta({ description: 'The position of the last entry.' }),
    head: Sha256.meta({ description: 'The hash of the last entry.' }),
    date: DateTime,
    keyId: z
      .string()
      .meta({ description: 'The first 16 hexadecimal characters of the SHA-256 of the public key (DER).' }),
    signature: z.base64().meta({ description: 'Ed25519, in base64.' })
  })
  .meta({
    id: 'AuditAnchor',
    example: {
      organization: 'burgee',
      position: 1042,
      head: '5d1c8c7ce5d6a3d8d4bcf0a6c1e9d0b7a1f2e3d4c5b6a7988796a5b4c3d2e1f0',
      date: createdAt,
      keyId: '0f3c2a9d7b61e584',
      signature: 'bWFkZSB1cA=='
    }
  })
export type AuditAnchor = z.infer<typeof AuditAnchor>
