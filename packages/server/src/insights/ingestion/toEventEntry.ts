import { hash } from 'node:crypto'
import type { KeyConfig } from '../../delivery/configs/configs.ts'
import type { EventEntry, SdkType } from '../../storage/events/eventEntry.ts'
import { variableIndexOf } from '../evaluations/variableIndex.ts'
import { aggregateEvents } from './aggregateEvents.ts'
import type { IngestResult } from './ingest.ts'

/** Where events came in. */
interface IngestSource {
  readonly operation: 'track' | 'sendEvents' | 'sendEventBatches'
  /** What they came by, for users who do not say. */
  readonly sdkType: SdkType
  readonly at: number
}

/** The good events of a request as they are kept. */
export function toEventEntry(
  { payloadId, reports }: Pick<IngestResult, 'payloadId' | 'reports'>,
  { environment, keyType, features, variables }: KeyConfig,
  { operation, sdkType, at }: IngestSource
): EventEntry {
  const takenApart = aggregateEvents(reports, { catalogue: variableIndexOf(features, variables), keyType, sdkType })
  // What is counted of it can differ between two tries, as what there is does; what it says cannot.
  const named = payloadId === undefined ? {} : { payloadId, payloadDigest: digest(operation, reports) }
  return { environment: environment._id, at, keyType, ...named, ...takenApart }
}

function digest(operation: IngestSource['operation'], reports: IngestResult['reports']): string {
  return hash('sha256', `${operation} ${JSON.stringify(reports)}`, 'base64url').slice(0, 22)
}
