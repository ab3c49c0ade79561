import { isRecord } from '@burgee/kit'
import { type IngestContext, type IngestResult, ingest } from './ingest.ts'
import { formatUntrusted } from './untrustedValue.ts'

/** Takes the good events of what one user did. */
export async function ingestReport(body: unknown, arrival: IngestContext): Promise<IngestResult> {
  return body === undefined ? rejectAll(TOO_LARGE) : ingest([{ path: [], value: body }], arrival)
}

/** Takes the good events of what several users did. */
export async function ingestBatch(body: unknown, arrival: IngestContext): Promise<IngestResult> {
  if (body === undefined) return rejectAll(TOO_LARGE)
  if (!isRecord(body)) return rejectAll(`the body should be an object with a batch, got ${formatUntrusted(body)}`)
  const { batch } = body
  if (!Array.isArray(batch)) return rejectAll(`batch should be a list, got ${formatUntrusted(batch)}`)
  return ingest(
    batch.map((value: unknown, index) => ({ path: ['batch', index], value })),
    arrival
  )
}

/** Of a body that nobody looked at. */
const TOO_LARGE = 'the body has more bytes or more values than are looked at; it should come in smaller pieces'

function rejectAll(message: string): IngestResult {
  return { reports: [], payloadId: undefined, accepted: 0, refused: 1, issues: [{ path: [], message }] }
}
