import type { StoredChangeRequest, StoredFeature, StoredProject } from '../../storage/resources.ts'

/** A change request and what it is about. */
export interface ChangeRequestContext {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly request: StoredChangeRequest
}
