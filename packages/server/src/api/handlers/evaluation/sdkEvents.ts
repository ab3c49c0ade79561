import type { EventsReceived } from '@burgee/contract/schemas'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { Configs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { toEventEntry } from '../../../insights/ingestion/aggregateEvents.ts'
import type { IngestResult } from '../../../insights/ingestion/ingest.ts'
import {
  createIngestContext,
  formatAccepted,
  ingestBatch,
  ingestReport
} from '../../../insights/ingestion/ingestRequest.ts'
import { formatBodyPath } from '../../../insights/ingestion/validationIssue.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly recorder: Pick<EventRecorder, 'append'>
  readonly validate: ParseBody
  readonly now: () => number
  readonly configs: Pick<Configs, 'current'>
  /** Receives the numbers of accepted and refused events. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/**
 * Handlers of the events that SDKs report. Invalid events do not fail the request: SDKs would retry it forever
 * (docs/reference/events.md).
 */
export function sdkEvents({
  recorder,
  validate,
  now,
  configs,
  onEvents
}: Dependencies): Pick<Handlers, 'sendEvents' | 'sendEventBatches'> {
  const append = async (
    result: IngestResult,
    caller: KeyConfig,
    operation: 'sendEvents' | 'sendEventBatches'
  ): Promise<EventsReceived> => {
    const { accepted, refused } = result
    const source = { operation, sdkType: caller.keyType, now }
    if (accepted > 0) await recorder.append(await toEventEntry(result, caller, source))
    onEvents(accepted, refused)
    return toResponse(result)
  }
  const dependencies = { validate, configs }

  return {
    sendEvents: async ({ body, text, query: { obfuscated: isObfuscated }, headers }, caller) =>
      append(
        await ingestReport(body, createIngestContext(caller, { headers, text, isObfuscated }, dependencies)),
        caller,
        'sendEvents'
      ),

    sendEventBatches: async ({ body, text, headers }, caller) =>
      append(
        await ingestBatch(body, createIngestContext(caller, { headers, text }, dependencies)),
        caller,
        'sendEventBatches'
      )
  }
}

function toResponse({ accepted, refused, issues }: IngestResult): EventsReceived {
  return {
    message: `${formatAccepted(accepted)}${refused > 0 ? `, refused ${refused}` : ''}`,
    accepted,
    refused,
    mistakes: issues.map(({ path, message }) => ({ path: formatBodyPath(path), message }))
  }
}
