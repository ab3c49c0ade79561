// Long because it is the table of contents of the API: the type of each operation depends on its name here, and the order
// is that of the OpenAPI document.

import { evaluateFeatures, evaluateVariable, evaluateVariables, track } from './operations/evaluation/bucketing.ts'
import { getClientConfig, getMobileConfig } from './operations/evaluation/clientConfigs.ts'
import {
  getBootstrapConfig,
  getBootstrapConfigV1,
  getObfuscatedBootstrapConfig,
  getObfuscatedBootstrapConfigV1,
  getServerConfig,
  getServerConfigV1
} from './operations/evaluation/configDocuments.ts'
import { deleteEdgeUser, updateEdgeUser } from './operations/evaluation/edge.ts'
import { getEdgeConfig, sendEdgeEvents } from './operations/evaluation/edgeNodes.ts'
import { ofrepEvaluateFlag, ofrepEvaluateFlags } from './operations/evaluation/ofrep.ts'
import { getOptInConfig, hasOptIn, updateOptIns } from './operations/evaluation/optIn.ts'
import { sendEventBatches, sendEvents } from './operations/evaluation/sdkEvents.ts'
import { streamEvents } from './operations/evaluation/streams.ts'
import {
  createAudience,
  deleteAudience,
  getAudience,
  getAudienceUsage,
  listAudiences,
  patchAudience,
  updateAudience
} from './operations/features/audiences.ts'
import { getFeatureAudit, killFeature, revertFeature } from './operations/features/audit.ts'
import { updateFeatures } from './operations/features/bulkUpdates.ts'
import {
  applyChangeRequest,
  cancelChangeRequest,
  countWaitingReviews,
  createChangeRequest,
  getChangeRequest,
  getLatestChangeRequest,
  listChangeRequests,
  listPendingChangeRequests,
  rebaseChangeRequest,
  reviewChangeRequest,
  scheduleChangeRequest,
  submitChangeRequest,
  updateChangeRequest
} from './operations/features/changeRequests.ts'
import {
  createFeatures,
  createFeatureV1,
  deleteFeature,
  getFeatureV1,
  getStaticConfigurationV1,
  linkIssue,
  listFeaturesV1,
  listIssues,
  unlinkIssue,
  updateFeatureStatusV1,
  updateFeatureV1,
  updateStaticConfigurationV1
} from './operations/features/deprecatedFeatures.ts'
import { listFeatureConfigurations, updateFeatureConfiguration } from './operations/features/featureConfigurations.ts'
import { listFeatureSummaries } from './operations/features/featureSummaries.ts'
import {
  createFeature,
  getFeature,
  getFeatureStaleness,
  getStaticConfiguration,
  listFeatures,
  updateFeature,
  updateFeatureStaleness,
  updateFeatureStatus,
  updateFeatureSummary,
  updateStaticConfiguration
} from './operations/features/features.ts'
import {
  archiveManifestFlag,
  createManifestFlag,
  getManifest,
  updateManifestFlag
} from './operations/features/manifest.ts'
import {
  deleteCurrentOverrides,
  deleteFeatureOverride,
  deleteFeatureOverrides,
  getCurrentFeatureOverrides,
  getFeatureOverrides,
  getUserProfile,
  listCurrentOverrides,
  updateFeatureOverride,
  updateUserProfile
} from './operations/features/overrides.ts'
import { explain, listSampleUsers, previewAudience, previewFeature } from './operations/features/previews.ts'
import { compareEnvironments, createPromotion } from './operations/features/promotions.ts'
import {
  createVariable,
  deleteVariable,
  getVariable,
  listVariables,
  updateVariable,
  updateVariableStatus,
  validateVariableValue
} from './operations/features/variables.ts'
import { createVariation, getVariation, listVariations, updateVariation } from './operations/features/variations.ts'
import { exportAccessLog, listAccessLog } from './operations/organizations/accessLog.ts'
import {
  createApiClient,
  deleteApiClient,
  getApiClient,
  listApiClients,
  rotateApiClientSecret,
  updateApiClient
} from './operations/organizations/apiClients.ts'
import {
  exportAudit,
  getAuditEntry,
  getOrganizationSettings,
  listAuditEntries,
  listMembers,
  listOrganizations,
  rotateSigningKey,
  updateOrganizationSettings,
  verifyAudit
} from './operations/organizations/organizations.ts'
import {
  endOwnSession,
  getSession,
  listOwnApplications,
  listOwnSessions,
  revokeOwnApplication,
  signOutEverywhere
} from './operations/organizations/ownAccount.ts'
import {
  changePassword,
  createUser,
  getUser,
  getUserPermissions,
  listUsers,
  resetPassword,
  signOutUser,
  updateUser
} from './operations/organizations/people.ts'
import { createScimToken, deleteScimToken, listScimTokens } from './operations/organizations/scimTokens.ts'
import {
  addPasskey,
  confirmAuthenticatorApp,
  deleteSecondFactor,
  listSecondFactors,
  replaceRecoveryCodes,
  resetSecondFactors,
  startAuthenticatorApp,
  startPasskey
} from './operations/organizations/secondFactors.ts'
import {
  createWorkloadTrust,
  deleteWorkloadTrust,
  getWorkloadTrust,
  listWorkloadTokens,
  listWorkloadTrusts,
  revokeWorkloadToken,
  updateWorkloadTrust
} from './operations/organizations/workloadTrusts.ts'
import { streamChanges } from './operations/projects/changes.ts'
import { deleteCodeUsages, listCodeUsages, updateCodeUsages } from './operations/projects/codeUsages.ts'
import {
  createCustomProperty,
  deleteCustomProperty,
  getCustomProperty,
  listCustomProperties,
  updateCustomProperty
} from './operations/projects/customProperties.ts'
import {
  createEnvironment,
  deleteEnvironment,
  generateSdkKeys,
  getEnvironment,
  invalidateSdkKey,
  listEnvironments,
  updateEnvironment,
  updateSdkKey
} from './operations/projects/environments.ts'
import {
  connectIssueTrackerOrganization,
  connectIssueTrackerProject,
  deleteIssueTracker,
  deleteIssueTrackerOrganization,
  deleteIssueTrackerProject,
  deleteObservabilityIntegration,
  getObservabilityIntegrations,
  listIssueTrackers,
  updateObservabilityIntegration
} from './operations/projects/integrations.ts'
import { getManagement, listManagement, updateManagement } from './operations/projects/management.ts'
import {
  createMetric,
  createMetricAssociation,
  deleteMetric,
  deleteMetricAssociation,
  getMetric,
  getMetricResults,
  listMetricAssociations,
  listMetrics,
  testMetricResults,
  updateMetric
} from './operations/projects/metrics.ts'
import {
  applyProjectChangeRequest,
  cancelProjectChangeRequest,
  createProjectChangeRequest,
  getProjectChangeRequest,
  rebaseProjectChangeRequest,
  reviewProjectChangeRequest,
  scheduleProjectChangeRequest,
  submitProjectChangeRequest,
  updateProjectChangeRequest
} from './operations/projects/projectChangeRequests.ts'
import {
  createProject,
  deleteProject,
  getProject,
  getStaleFeatures,
  listProjects,
  updateProject,
  updateProjectSettings,
  updateProtectedSettings
} from './operations/projects/projects.ts'
import {
  getFeatureTotalEvaluations,
  getProjectEvaluations,
  getProjectTotalEvaluations
} from './operations/projects/results.ts'
import { eraseUserData, exportUserData } from './operations/projects/userData.ts'
import {
  createUserSigningSecret,
  deleteUserSigningSecret,
  listUserSigningSecrets
} from './operations/projects/userSigningSecrets.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  getWebhookSecret,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook
} from './operations/projects/webhooks.ts'

// The compiler limits the length of one inferred type, so the operations are in three objects.
const evaluationOperations = {
  evaluateVariable,
  evaluateVariables,
  evaluateFeatures,
  track,
  sendEvents,
  sendEventBatches,
  updateEdgeUser,
  deleteEdgeUser,
  getOptInConfig,
  updateOptIns,
  hasOptIn,
  getClientConfig,
  getMobileConfig,
  getServerConfig,
  getBootstrapConfig,
  getServerConfigV1,
  getBootstrapConfigV1,
  getObfuscatedBootstrapConfig,
  getObfuscatedBootstrapConfigV1,
  ofrepEvaluateFlag,
  ofrepEvaluateFlags,
  streamEvents,
  getEdgeConfig,
  sendEdgeEvents
} as const

const organizationOperations = {
  listOrganizations,
  listMembers,
  listAuditEntries,
  verifyAudit,
  exportAudit,
  getAuditEntry,
  listAccessLog,
  exportAccessLog,
  getOrganizationSettings,
  updateOrganizationSettings,
  rotateSigningKey,
  createUser,
  listUsers,
  getUser,
  getUserPermissions,
  updateUser,
  resetPassword,
  signOutUser,
  resetSecondFactors,
  changePassword,
  getSession,
  listOwnSessions,
  endOwnSession,
  listOwnApplications,
  revokeOwnApplication,
  signOutEverywhere,
  listSecondFactors,
  startAuthenticatorApp,
  confirmAuthenticatorApp,
  startPasskey,
  addPasskey,
  deleteSecondFactor,
  replaceRecoveryCodes,
  createApiClient,
  listApiClients,
  getApiClient,
  updateApiClient,
  deleteApiClient,
  rotateApiClientSecret,
  createScimToken,
  listScimTokens,
  deleteScimToken,
  createWorkloadTrust,
  listWorkloadTrusts,
  getWorkloadTrust,
  updateWorkloadTrust,
  deleteWorkloadTrust,
  listWorkloadTokens,
  revokeWorkloadToken,
  createProject,
  listProjects,
  getProject,
  updateProject,
  deleteProject,
  updateProjectSettings,
  updateProtectedSettings,
  streamChanges,
  getStaleFeatures,
  createEnvironment,
  listEnvironments,
  getEnvironment,
  updateEnvironment,
  deleteEnvironment,
  generateSdkKeys,
  updateSdkKey,
  invalidateSdkKey,
  listUserSigningSecrets,
  createUserSigningSecret,
  deleteUserSigningSecret,
  exportUserData,
  eraseUserData
} as const

const featureOperations = {
  createFeature,
  listFeatures,
  listFeatureSummaries,
  getFeature,
  updateFeature,
  updateFeatureStatus,
  getStaticConfiguration,
  updateStaticConfiguration,
  getFeatureStaleness,
  updateFeatureStaleness,
  updateFeatureSummary,
  getFeatureAudit,
  revertFeature,
  killFeature,
  createVariation,
  listVariations,
  getVariation,
  updateVariation,
  createVariable,
  listVariables,
  getVariable,
  updateVariable,
  deleteVariable,
  updateVariableStatus,
  validateVariableValue,
  createAudience,
  listAudiences,
  getAudience,
  updateAudience,
  deleteAudience,
  getAudienceUsage,
  patchAudience,
  explain,
  listSampleUsers,
  previewFeature,
  previewAudience,
  getManifest,
  createManifestFlag,
  updateManifestFlag,
  archiveManifestFlag,
  updateCodeUsages,
  listCodeUsages,
  deleteCodeUsages,
  createCustomProperty,
  listCustomProperties,
  getCustomProperty,
  updateCustomProperty,
  deleteCustomProperty,
  listManagement,
  getManagement,
  updateManagement,
  createMetric,
  listMetrics,
  getMetric,
  updateMetric,
  deleteMetric,
  getMetricResults,
  testMetricResults,
  listMetricAssociations,
  createMetricAssociation,
  deleteMetricAssociation,
  getUserProfile,
  updateUserProfile,
  updateFeatureOverride,
  getCurrentFeatureOverrides,
  deleteFeatureOverride,
  getFeatureOverrides,
  deleteFeatureOverrides,
  listCurrentOverrides,
  deleteCurrentOverrides,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  getWebhookSecret,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  updateObservabilityIntegration,
  getObservabilityIntegrations,
  deleteObservabilityIntegration,
  listIssueTrackers,
  connectIssueTrackerOrganization,
  connectIssueTrackerProject,
  deleteIssueTrackerOrganization,
  deleteIssueTrackerProject,
  deleteIssueTracker,
  getFeatureTotalEvaluations,
  getProjectEvaluations,
  getProjectTotalEvaluations,
  listChangeRequests,
  countWaitingReviews,
  createChangeRequest,
  listPendingChangeRequests,
  getLatestChangeRequest,
  getChangeRequest,
  updateChangeRequest,
  rebaseChangeRequest,
  submitChangeRequest,
  reviewChangeRequest,
  scheduleChangeRequest,
  applyChangeRequest,
  cancelChangeRequest,
  createProjectChangeRequest,
  getProjectChangeRequest,
  updateProjectChangeRequest,
  rebaseProjectChangeRequest,
  submitProjectChangeRequest,
  reviewProjectChangeRequest,
  scheduleProjectChangeRequest,
  applyProjectChangeRequest,
  cancelProjectChangeRequest,
  listFeatureConfigurations,
  updateFeatureConfiguration,
  updateFeatures,
  createPromotion,
  compareEnvironments,
  createFeatureV1,
  createFeatures,
  listFeaturesV1,
  getFeatureV1,
  updateFeatureV1,
  deleteFeature,
  updateFeatureStatusV1,
  getStaticConfigurationV1,
  updateStaticConfigurationV1,
  linkIssue,
  listIssues,
  unlinkIssue
} as const

/**
 * All operations of the API by id, in the order of the OpenAPI document. Where paths overlap, the first one matches.
 */
export const operations: typeof evaluationOperations & typeof organizationOperations & typeof featureOperations = {
  ...evaluationOperations,
  ...organizationOperations,
  ...featureOperations
}

/** The types of all operations, by id. */
export type Operations = typeof operations
