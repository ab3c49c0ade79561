import { z } from 'zod'
import { ChangeSource, DateTime, Id, UserReference } from '../common/fields.ts'
import { admin, createdAt, ids } from '../examples/shop.ts'
import { Actor, MAX_ASSISTANT_NAME_LENGTH } from './audit.ts'

/** What an entry of the access log records (docs/operations/access-log.md#kinds). */
export const AccessKind = z
  .enum(['signIn', 'signOut', 'token', 'tokenUse', 'sdkKey', 'secretShown', 'export', 'auditRead'])
  .meta({ id: 'AccessKind' })
export type AccessKind = z.infer<typeof AccessKind>

/** The outcome of a request: done, refused by a rule, or failed by an error of the server. */
export const AccessOutcome = z.enum(['success', 'refused', 'failed']).meta({ id: 'AccessOutcome' })
export type AccessOutcome = z.infer<typeof AccessOutcome>

const addressForms = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** An address or a network, which filters entries. */
export const AddressFilter = z
  .string()
  .refine(
    (text) => addressForms.safeParse(text).success,
    'should be an address or a network, such as 192.0.2.10 or 192.0.2.0/24'
  )

/** One sign-in, token, or access to secrets or logs. */
export const AccessLogEntry = z
  .object({
    _id: Id,
    date: DateTime,
    kind: AccessKind,
    outcome: AccessOutcome,
    reason: z.string().exactOptional().meta({
      description: 'A code for the reason of a refusal or failure. Absent from successes.'
    }),
    operation: z
      .string()
      .meta({ description: 'The operation of the API, or `token`, `signIn` or `backchannelLogout`.' }),
    method: z.string().exactOptional().meta({
      description:
        'The method of a sign-in or sign-out (`password`, `provider`, `passkey`, `link`, or for a second factor `totp`, `recoveryCode`), or the OAuth grant type of a token.'
    }),
    idp_user: UserReference.exactOptional().meta({
      description:
        'The person, the client as `<client id>@clients`, or the CI job as `ci:<key of its trust>`. Absent if the account does not exist.'
    }),
    clientId: z.string().exactOptional().meta({ description: 'The API client that was used. Absent if unknown.' }),
    actor: Actor.exactOptional(),
    source: ChangeSource.exactOptional(),
    assistant: z.string().max(MAX_ASSISTANT_NAME_LENGTH).exactOptional(),
    address: z.string().exactOptional().meta({
      description: 'The network address of the caller. With `count`, the network (IPv6: /64), if it is known.'
    }),
    target: z.record(z.string(), z.string()).exactOptional().meta({
      description:
        'The path parameters of the request. For tokens of CI jobs, claims of the verified subject token. For a refused SDK key, its type, and its project and environment if they are known.'
    }),
    requestId: z.string().exactOptional().meta({ description: 'The id of the request in the server log.' }),
    count: z.int().exactOptional().meta({
      description: 'The number of further requests of one minute that this entry stands for. Absent: one request.'
    })
  })
  .meta({
    id: 'AccessLogEntry',
    example: {
      _id: ids.auditEntry,
      date: createdAt,
      kind: 'secretShown',
      outcome: 'success',
      operation: 'getEnvironment',
      idp_user: admin,
      clientId: 'burgee-admin',
      actor: 'client',
      source: 'api',
      address: '192.0.2.10',
      target: { project: 'shop', environment: 'production' },
      requestId: 'b1f6f3a0-5d3f-4f1c-9c39-3f5f6e2a7c11'
    }
  })
export type AccessLogEntry = z.infer<typeof AccessLogEntry>
