import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'

/** A change request and what it is about. */
export interface Subject {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly request: StoredChangeRequest
}
