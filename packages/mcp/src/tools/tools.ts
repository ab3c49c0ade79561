import type { Tool } from '../tool.ts'
import { getFeatureAuditLogHistory } from './audit.ts'
import {
  createFeature,
  deleteFeature,
  getFeature,
  listFeatures,
  updateFeature,
  updateFeatureStatus
} from './features.ts'
import { cleanupFeature, installServiceSdk } from './guides.ts'
import {
  clearFeatureSelfTargetingOverrides,
  getSelfTargetingIdentity,
  listSelfTargetingOverrides,
  setSelfTargetingOverride,
  updateSelfTargetingIdentity
} from './overrides.ts'
import { getCurrentProject, selectProject } from './projects.ts'
import { getFeatureTotalEvaluations, getProjectTotalEvaluations } from './results.ts'
import { createVariable, deleteVariable, listVariables, updateVariable } from './variables.ts'

/** All tools, in the order in which clients list them. The order is fixed, so that clients can cache the list. */
export const tools: readonly Tool[] = [
  selectProject,
  installServiceSdk,
  getCurrentProject,
  listFeatures,
  getFeature,
  createFeature,
  updateFeature,
  updateFeatureStatus,
  deleteFeature,
  getFeatureAuditLogHistory,
  cleanupFeature,
  getFeatureTotalEvaluations,
  getProjectTotalEvaluations,
  getSelfTargetingIdentity,
  updateSelfTargetingIdentity,
  listSelfTargetingOverrides,
  setSelfTargetingOverride,
  clearFeatureSelfTargetingOverrides,
  listVariables,
  createVariable,
  updateVariable,
  deleteVariable
]
