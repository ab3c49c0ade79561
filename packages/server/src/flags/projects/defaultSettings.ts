import type { ProjectSettings } from '@burgee/contract/schemas'

/** What a new project has switched on: nothing, and every reason for staleness for when that is (`management.md` §5). */
export const defaultSettings: ProjectSettings = {
  edgeDB: { enabled: false },
  optIn: { enabled: false },
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: false, required: false },
  disablePassthroughRollouts: false,
  observability: { enabled: false, environmentMap: {} },
  featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
  staleness: {
    enabled: false,
    released: { enabled: true },
    unmodifiedLong: { enabled: true },
    unmodifiedShort: { enabled: true },
    unused: { enabled: true },
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}

/** The colours of the opt-in page where a project names none, or one of the two. */
export const defaultColors = { primary: '#1d4ed8', secondary: '#ffffff' } as const
