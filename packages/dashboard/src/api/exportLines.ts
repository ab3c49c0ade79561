import type { Client } from '@burgee/contract/client'
import { createSessionClient, sendAndReport } from './client.ts'

/** The operations whose response has one JSON object per line. */
export type ExportOperation = 'exportAudit' | 'exportAccessLog' | 'exportUserData'

/** The request of an export. */
export type ExportRequest<I extends ExportOperation> = NonNullable<Parameters<Client[I]>[0]>

/** How much of an export has been received. */
export interface Progress {
  readonly lines: number
  readonly bytes: number
}

/** The longest that an export may take, in milliseconds: the server reads all of a log. */
const TIMEOUT_MS = 60 * 60_000

/** Downloads an export without parsing it. Rejects if the response is incomplete or the signal is aborted. */
export async function exportLines<I extends ExportOperation>(
  operation: I,
  request: ExportRequest<I>,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void
): Promise<{ readonly blob: Blob; readonly progress: Progress }> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let progress: Progress = { lines: 0, bytes: 0 }
  const send: typeof fetch = async (input, init = {}) => {
    const signals = [signal, init.signal].filter((one) => one instanceof AbortSignal)
    const response = await sendAndReport(input, { ...init, signal: AbortSignal.any(signals) })
    if (!response.ok || !response.body) return response
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value)
      progress = { lines: progress.lines + countLines(part.value), bytes: progress.bytes + part.value.length }
      onProgress(progress)
    }
    // The client gets an empty body: the lines are not parsed.
    return new Response(null, { status: response.status, headers: response.headers })
  }
  const client = createSessionClient({ send, timeoutMs: TIMEOUT_MS })
  // A union of methods takes no argument that fits one of them only.
  await (client[operation] as (request: ExportRequest<I>) => Promise<unknown>)(request)
  return { blob: new Blob(parts, { type: 'application/x-ndjson' }), progress }
}

const LINE_FEED = 10

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((lines, byte) => (byte === LINE_FEED ? lines + 1 : lines), 0)
}
