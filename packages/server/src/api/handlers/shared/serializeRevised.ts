import type { Feature } from '@burgee/contract/schemas'
import type { FeatureAtPath } from '../../../flags/features/readFeatureAt.ts'
import { serializeFeature } from '../../../flags/features/serializeFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import type { Store } from '../../../storage/store.ts'
import type { Revised } from './handler.ts'

/** Serializes a feature with its revision. */
export async function serializeRevised(
  store: Store,
  inspect: InspectProject,
  found: FeatureAtPath
): Promise<Revised<Feature>> {
  return { revision: found.revision, body: await serializeFeature(store, inspect, found) }
}
