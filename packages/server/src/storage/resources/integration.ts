import type { ObservabilityIntegration } from '@burgee/contract/schemas'
import type { RecordFields } from './recordFields.ts'

/** An environment of an observability service. */
export interface StoredObservabilityEnvironment extends RecordFields, Readonly<ObservabilityIntegration> {
  readonly _organization: string
}

/** A connection to an issue tracker, for the organization or for one project. */
export interface StoredIssueTracker extends RecordFields {
  readonly tracker: string
  readonly token: string
  readonly baseUrl: string
  readonly _organization: string
  readonly _project?: string
}

/** An issue of a tracker that a feature is linked to. */
export interface StoredIssueLink extends RecordFields {
  readonly _project: string
  readonly _feature: string
  readonly tracker: string
  readonly issueId: string
}
