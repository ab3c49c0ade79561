import type { Project } from '@burgee/contract/schemas'

/** The settings of a project with approvals. */
export const settings: Project['settings'] = {
  edgeDB: { enabled: false },
  optIn: { enabled: false },
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: true, required: false },
  trustClientWrites: false,
  disablePassthroughRollouts: false,
  observability: { enabled: true, environmentMap: { production: 'abc', staging: 'def' } },
  featureApprovalWorkflow: { enabled: true, allowPublisherBypass: false, defaultReviewers: ['ada'] },
  staleness: {
    enabled: true,
    released: { enabled: true, days: 30 },
    unused: { enabled: true },
    unmodifiedShort: { enabled: true },
    unmodifiedLong: { enabled: true },
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}
