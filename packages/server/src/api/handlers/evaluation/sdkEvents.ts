import type { EventsReceived } from '@burgee/contract/schemas'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { Configs, KeyConfig } from '../../../delivery/configs/configs.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { toEventEntry } from '../../../insights/ingestion/aggregateEvents.ts'
import type { IngestResult } from '../../../insights/ingestion/ingest.ts'
import {
  createIngestContext,
  formatAccepted,
  ingestBatch,
  ingestReport
} from '../../../insights/ingestion/ingestRequest.ts'
import { formatPath } from '../../../insights/ingestion/validationIssue.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly recorder: Pick<EventRecorder, 'append'>
  readonly validate: ParseBody
  readonly now: () => number
  readonly configs: Pick<Configs, 'current'>
  /** Receives the numbers of accepted and refused events. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/**
 * Handlers of the events that SDKs report. Invalid events do not fail the request: SDKs would send it again for ever
 * (docs/reference/events.md).
 */
export function sdkEvents({
  recorder,
  validate,
  now,
  configs,
  onEvents
}: Dependencies): Pick<Handlers, 'sendEvents' | 'sendEventBatches'> {
  const keep = async (
    intake: IngestResult,
    caller: KeyConfig,
    operation: 'sendEvents' | 'sendEventBatches'
  ): Promise<EventsReceived> => {
    const { accepted, refused } = intake
    const entrance = { operation, sdkType: caller.keyType, at: now() }
    if (accepted > 0) await recorder.append(toEventEntry(intake, caller, entrance))
    onEvents(accepted, refused)
    return toAnswer(intake)
  }
  const world = { validate, configs }

  return {
    sendEvents: async ({ body, query: { obfuscated: isObfuscated }, headers }, caller) =>
      keep(
        await ingestReport(body, createIngestContext(caller, { headers, isObfuscated }, world)),
        caller,
        'sendEvents'
      ),

    sendEventBatches: async ({ body, headers }, caller) =>
      keep(await ingestBatch(body, createIngestContext(caller, { headers }, world)), caller, 'sendEventBatches')
  }
}

function toAnswer({ accepted, refused, issues }: IngestResult): EventsReceived {
  return {
    message: `${formatAccepted(accepted)}${refused > 0 ? `, refused ${refused}` : ''}`,
    accepted,
    refused,
    mistakes: issues.map(({ path, message }) => ({ path: formatPath(path), message }))
  }
}
