import type { Operations } from '@burgee/contract'
import type { ChangeRequest } from '@burgee/contract/schemas'
import { applyFeatureUpdate } from './applyFeatureUpdate.ts'
import { applyStaticConfigurationUpdate } from './applyStaticConfigurationUpdate.ts'
import { applyStatusUpdate } from './applyStatusUpdate.ts'
import type { FeatureCommand } from './model/featureCommand.ts'

type FeatureOperation =
  | 'updateFeature'
  | 'updateFeatureStatus'
  | 'updateStaticConfiguration'
  | 'updateFeatureStaleness'
  | 'updateFeatureSummary'

type FeatureCommands = {
  readonly [Id in FeatureOperation]: (body: Operations[Id]['body']['_output']) => FeatureCommand
}

/** The commands of the operations that update a feature, called directly or through a change request. */
export const featureCommands: FeatureCommands = {
  updateFeature: (body) => ({ update: (state, context) => applyFeatureUpdate(state, body, context), references: body }),
  updateFeatureStatus: (body) => ({
    update: (state, context) => applyStatusUpdate(state, body, context),
    operation: 'updateFeatureStatus',
    requiresNoReads: body.status === 'complete' && body.ignoreCodeUsages !== true
  }),
  updateStaticConfiguration: (body) => ({
    update: (state, context) => applyStaticConfigurationUpdate(state, body, context),
    operation: 'updateStaticConfiguration'
  }),
  updateFeatureStaleness: (staleness) => featureCommands.updateFeature({ staleness }),
  updateFeatureSummary: (summary) => featureCommands.updateFeature({ summary })
}

/** The operation that a change request wraps, by `ChangeRequest['operation']`. */
export const changeRequestOperations = {
  featureUpdate: 'updateFeature',
  featureStatusUpdate: 'updateFeatureStatus',
  featureStaticConfigurationUpdate: 'updateStaticConfiguration'
} as const satisfies { readonly [Name in ChangeRequest['operation']]: FeatureOperation }
