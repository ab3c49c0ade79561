import { hash } from 'node:crypto'
import type { SdkCaller } from '../caller.ts'
import type { EventEntry, SdkType } from '../eventStore/entry.ts'
import { catalogueOf } from './catalogue.ts'
import type { Intake } from './intake.ts'
import { takeApart } from './takeApart.ts'

/** Where events came in. */
interface Entrance {
  readonly operation: 'track' | 'sendEvents' | 'sendEventBatches'
  /** What they came by, for users who do not say. */
  readonly sdkType: SdkType
  readonly at: number
}

/** The good events of a request as they are kept. */
export function entryOf(
  { payloadId, reports }: Pick<Intake, 'payloadId' | 'reports'>,
  { environment, keyType, features, variables }: SdkCaller,
  { operation, sdkType, at }: Entrance
): EventEntry {
  const takenApart = takeApart(reports, { catalogue: catalogueOf(features, variables), keyType, sdkType })
  // What is counted of it can differ between two tries, as what there is does; what it says cannot.
  const named = payloadId === undefined ? {} : { payloadId, payloadDigest: digest(operation, reports) }
  return { environment: environment._id, at, keyType, ...named, ...takenApart }
}

function digest(operation: Entrance['operation'], reports: Intake['reports']): string {
  return hash('sha256', `${operation} ${JSON.stringify(reports)}`, 'base64url').slice(0, 22)
}
