import { operations } from '@burgee/contract'
import { audiencesOf } from '@burgee/core'
import { isRecord } from '@burgee/kit'
import type { ParseBody } from '../../access/parseBody.ts'
import type { Configs } from '../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import { deobfuscateKey } from '../../delivery/obfuscation/deobfuscateKey.ts'
import { type IngestContext, type IngestResult, ingest } from './ingest.ts'
import { MAX_EVALUATIONS_PER_EVENT, MAX_PUBLIC_EVALUATIONS_PER_EVENT } from './parseEvent.ts'
import { scanText } from './textScan.ts'
import { formatUntrusted } from './validationIssue.ts'

/** Ingests the body of `POST /v1/events`; `undefined` is a body that exceeded the limits and was not read. */
export async function ingestReport(body: unknown, context: IngestContext): Promise<IngestResult> {
  return body === undefined ? refuseBody(TOO_LARGE) : ingest([{ path: [], value: body }], context)
}

/** Ingests the body of `POST /v1/events/batch`; `undefined` is a body that exceeded the limits and was not read. */
export async function ingestBatch(body: unknown, context: IngestContext): Promise<IngestResult> {
  if (body === undefined) return refuseBody(TOO_LARGE)
  if (!isRecord(body)) return refuseBody(`the body should be an object with a batch, got ${formatUntrusted(body)}`)
  const { batch } = body
  if (!Array.isArray(batch)) return refuseBody(`batch should be a list, got ${formatUntrusted(batch)}`)
  return ingest(
    batch.map((value: unknown, index) => ({ path: ['batch', index], value })),
    context
  )
}

const { maxBytes, maxValues, maxMembers, maxDepth, maxLength } = operations.sendEvents.rawBody

const TOO_LARGE = `the body has more than ${maxBytes} bytes, ${maxValues} values, ${maxMembers} members of an object, ${maxDepth} levels or ${maxLength} characters of a string; split it into smaller requests`

function refuseBody(message: string): IngestResult {
  return { reports: [], payloadId: undefined, accepted: 0, refused: 1, issues: [{ path: [], message }] }
}

interface Dependencies {
  readonly validate: ParseBody
  readonly configs: Pick<Configs, 'current'>
}

interface RequestOptions {
  readonly headers: { readonly 'idempotency-key'?: string | undefined }
  /** The text of the body, if it is known. */
  readonly text?: string | undefined
  /** Whether targets are obfuscated variable keys. */
  readonly isObfuscated?: boolean | undefined
}

/** Creates the context of ingestion from a request. */
export function createIngestContext(
  caller: KeyConfig,
  { headers, text, isObfuscated = false }: RequestOptions,
  { validate, configs }: Dependencies
): IngestContext {
  return {
    // An obfuscated target can be any text.
    ...scanText(isObfuscated ? undefined : text, caller.sdkKey),
    payloadId: headers['idempotency-key'],
    sdkKey: caller.sdkKey,
    isSdkKey: (text) => configs.current(text) !== undefined,
    deobfuscateTarget: (target) => (isObfuscated ? deobfuscateKey(caller, target) : target),
    maxEvaluations: caller.keyType === 'server' ? MAX_EVALUATIONS_PER_EVENT : MAX_PUBLIC_EVALUATIONS_PER_EVENT,
    audiencesOf: (user) => audiencesOf(caller.evaluator, user),
    validate
  }
}

/** Returns the message of a response to accepted events. */
export function formatAccepted(accepted: number): string {
  return `Successfully received ${accepted} ${accepted === 1 ? 'event' : 'events'}`
}
