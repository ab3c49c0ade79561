import { approvalSettings } from '@burgee/contract/rules'
import type { ProjectSettings } from '@burgee/contract/schemas'

/** The settings of a new project (docs/reference/management.md, Project settings). */
export const defaultSettings: ProjectSettings = {
  edgeDB: { enabled: false },
  optIn: { enabled: false },
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: false, required: false },
  trustClientWrites: false,
  disablePassthroughRollouts: false,
  observability: { enabled: false, environmentMap: {} },
  featureApprovalWorkflow: {
    enabled: false,
    allowPublisherBypass: false,
    defaultReviewers: [],
    ...approvalSettings({})
  },
  overrides: { protectedPermission: 'publish' },
  staleness: {
    enabled: false,
    released: { enabled: true },
    unmodifiedLong: { enabled: true },
    unmodifiedShort: { enabled: true },
    unused: { enabled: true },
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}

/** The default colours of the opt-in page. */
export const defaultColors = { primary: '#1d4ed8', secondary: '#ffffff' } as const
