import { every } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Logger } from '../lib/logger.ts'

/** Exports log records to an OpenTelemetry collector. */
export interface OtlpLogs {
  /** Queues a record. Drops it if the queue is full. */
  readonly emit: (record: LogRecord) => void
  /** Sends the queue, and waits two seconds at most. */
  readonly close: () => Promise<void>
}

/** An entry of the access log. */
export interface LogRecord {
  /** ISO 8601. */
  readonly date: string
  readonly outcome: string
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Dependencies {
  /** The address of the collector, without `/v1/logs`. */
  readonly endpoint: string
  readonly serverVersion: string
  readonly log: Logger
}

/**
 * Creates the exporter. It sends OTLP over HTTP as JSON, which needs no packages, in batches each second. If the
 * collector is slow or unreachable, it keeps the last batch and drops records above the limit of its queue; requests
 * are not affected.
 */
export function createOtlpLogs({ endpoint, serverVersion, log }: Dependencies): OtlpLogs {
  const url = `${withoutTrailingSlashes(endpoint)}/v1/logs`
  const resource = { attributes: toAttributes({ 'service.name': 'burgee-server', 'service.version': serverVersion }) }
  let queue: LogRecord[] = []
  let dropped = 0
  let isFailing = false

  const send = async (records: readonly LogRecord[], timeoutMs: number) => {
    const logRecords = records.map(toLogRecord)
    const scopeLogs = [{ scope: { name: 'burgee.access' }, logRecords }]
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs)
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the collector returned ${response.status}`)
  }
  const flush = async (timeoutMs: number) => {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH)
      await send(batch, timeoutMs)
      queue = queue.slice(batch.length)
    }
    if (isFailing) log.info({ dropped }, 'the access log is exported again')
    isFailing = false
    dropped = 0
  }
  const onError = (error: unknown) => {
    // Once per outage.
    if (!isFailing) log.warn({ err: error }, 'the access log cannot be exported; the collector misses entries')
    isFailing = true
  }
  const job = every(SEND_MS, () => flush(TIMEOUT_MS), { onError })
  return {
    emit: (record) => {
      if (queue.length < MAX_QUEUE) queue.push(record)
      else dropped++
    },
    close: async () => {
      await job.stop()
      await flush(CLOSE_MS).catch(onError)
    }
  }
}

const SEND_MS = 1_000
const TIMEOUT_MS = 5_000
const CLOSE_MS = 2_000
const BATCH = 512
const MAX_QUEUE = 2_048

/** Converts an entry to a record of the logs data model. */
function toLogRecord({ date, outcome, attributes }: LogRecord) {
  const isSuccess = outcome === 'success'
  const [severityNumber, severityText] = isSuccess ? [9, 'INFO'] : [13, 'WARN']
  const named = Object.entries({ ...attributes, outcome }).map(([name, value]) => [`burgee.${name}`, value])
  return {
    timeUnixNano: `${Date.parse(date)}000000`,
    severityNumber,
    severityText,
    eventName: 'burgee.access',
    body: { stringValue: `${attributes.kind} ${outcome}` },
    attributes: toAttributes(Object.fromEntries(named))
  }
}

function toAttributes(values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === 'number') return { key, value: { intValue: String(value) } }
    return { key, value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) } }
  })
}
