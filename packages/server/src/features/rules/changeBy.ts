import type { ChangeRequest, Operations } from '@burgee/contract'
import type { FeatureChange } from './featureChange.ts'
import { updateStaticConfiguration } from './staticConfiguration.ts'
import { changeStatus } from './status.ts'
import { updateFeature } from './update.ts'

type Changing =
  | 'updateFeature'
  | 'updateFeatureStatus'
  | 'updateStaticConfiguration'
  | 'updateFeatureStaleness'
  | 'updateFeatureSummary'

type ChangeBy = { readonly [Id in Changing]: (body: Operations[Id]['body']['_output']) => FeatureChange }

/** What an operation does to a feature, by its id and with its body: when it is called, and when a change request wraps it. */
export const changeBy: ChangeBy = {
  updateFeature: (body) => ({ rule: (state, context) => updateFeature(state, body, context), naming: body }),
  updateFeatureStatus: (body) => ({
    rule: (state, context) => changeStatus(state, body, context),
    wrapping: 'updateFeatureStatus'
  }),
  updateStaticConfiguration: (body) => ({
    rule: (state, context) => updateStaticConfiguration(state, body, context),
    wrapping: 'updateStaticConfiguration'
  }),
  updateFeatureStaleness: (staleness) => changeBy.updateFeature({ staleness }),
  updateFeatureSummary: (summary) => changeBy.updateFeature({ summary })
}

/** The operation that a change request wraps, by the name that change requests have for it. */
export const wrapped = {
  featureUpdate: 'updateFeature',
  featureStatusUpdate: 'updateFeatureStatus',
  featureStaticConfigurationUpdate: 'updateStaticConfiguration'
} as const satisfies { readonly [Name in ChangeRequest['operation']]: Changing }
