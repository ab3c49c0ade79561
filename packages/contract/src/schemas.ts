// Long because it lists every public schema by hand.

export { isProtected } from './access/isProtected.ts'
export { ErrorBody, Message } from './schema/common/error.ts'
export { ChangeSource, isSingleLine, Sha256 } from './schema/common/fields.ts'
export { Key, RESERVED_KEYS } from './schema/common/key.ts'
export { ManagementError, RequestIssue, RevisionChange } from './schema/common/managementError.ts'
export { Metadata } from './schema/common/metadata.ts'
export { DEFAULT_PER_PAGE, Pagination } from './schema/common/pagination.ts'
export { BucketedUserConfig } from './schema/evaluation/bucketedUserConfig.ts'
export { ClientQuery, clientParameters, isPlainClientQuery } from './schema/evaluation/clientQuery.ts'
export { BootstrapDocument, ConfigDocument } from './schema/evaluation/configDocument.ts'
export { EdgeConfig, EdgeEvents, ReceivedEdgeConfig } from './schema/evaluation/edgeNode.ts'
export { BucketedFeature, BucketedVariable, EvalReason } from './schema/evaluation/evaluation.ts'
export {
  Event,
  EventsReceived,
  EventUser,
  hasPlainAttributes,
  isPlainEvent,
  MAX_EVENTS,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_METADATA_LENGTH,
  MAX_REPORTED_ISSUES,
  MAX_USER_ID_LENGTH,
  SdkEvent,
  SdkEventBatches,
  SdkEvents,
  Track
} from './schema/evaluation/event.ts'
export {
  ExplainedFeature,
  ExplainedFilter,
  ExplainedOperator,
  ExplainedTarget,
  ExplainedVariable,
  ExplainRequest,
  Explanation,
  MissedTarget
} from './schema/evaluation/explanation.ts'
export {
  BulkEvaluation,
  BulkFailure,
  EvaluationContext,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess,
  isPlainEvaluationRequest
} from './schema/evaluation/ofrep.ts'
export { OptInChoices, OptInConfig } from './schema/evaluation/optIn.ts'
export {
  AudiencePreview,
  AudiencePreviewRequest,
  DEFAULT_PREVIEW_USERS,
  EnvironmentPreview,
  FeaturePreview,
  MAX_PREVIEW_USERS,
  PreviewRequest,
  SampleUser
} from './schema/evaluation/preview.ts'
export { EventStream, StreamMessage } from './schema/evaluation/stream.ts'
export {
  CustomData,
  EdgeUser,
  isPlainUser,
  MAX_ATTRIBUTES,
  MAX_CUSTOM_DATA_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_VERSION_LENGTH,
  User
} from './schema/evaluation/user.ts'
export { USER_HASH_HEADER } from './schema/evaluation/userHash.ts'
export {
  Audience,
  AudienceInstructions,
  AudienceUsage,
  CreateAudience,
  UpdateAudience
} from './schema/features/audience.ts'
export { Feature } from './schema/features/feature.ts'
export {
  FeatureConfiguration,
  FeatureConfigurationStatus,
  MAX_TARGETS,
  UpdateFeatureConfiguration
} from './schema/features/featureConfiguration.ts'
export {
  CreateFeature,
  KillFeature,
  UpdateFeature,
  UpdateFeatureStatus,
  withDefaultVariations
} from './schema/features/featureInput.ts'
export { FeatureSummary, Link, UpdateSummary } from './schema/features/featureSummary.ts'
export {
  AllFilter,
  AudienceMatchFilter,
  MAX_FILTER_AUDIENCES,
  MAX_FILTER_VALUES,
  OptInFilter,
  UserFilter
} from './schema/features/filters.ts'
export {
  AudienceOperator,
  MAX_OPERATOR_DEPTH,
  MAX_OPERATOR_FILTERS,
  TargetOperator
} from './schema/features/operator.ts'
export { Fraction, MAX_ROLLOUT_STAGES, Rollout, RolloutInput } from './schema/features/rollout.ts'
export { FeatureStaleness, StalenessReason, UpdateStaleness } from './schema/features/staleness.ts'
export { StaticConfiguration, UpdateStaticConfiguration } from './schema/features/staticConfiguration.ts'
export { Target, TargetInput } from './schema/features/target.ts'
export { ValidationSchema } from './schema/features/validationSchema.ts'
export {
  CreateVariable,
  MAX_VARIABLES,
  UpdateVariable,
  UpdateVariableStatus,
  ValidateVariableValue,
  ValueCheck,
  ValueChecks,
  Variable,
  VariableStatus,
  VariableType
} from './schema/features/variable.ts'
export {
  CreateVariation,
  MAX_VARIATIONS,
  UpdateVariation,
  Variation,
  VariationInput
} from './schema/features/variation.ts'
export { AccessKind, AccessLogEntry, AccessOutcome } from './schema/organizations/accessLog.ts'
export { ApiClient, CreateApiClient, UpdateApiClient } from './schema/organizations/apiClient.ts'
export {
  Actor,
  AppliedChangeRequest,
  AuditLogChange,
  AuditLogEntry,
  AuditVerification,
  ChainedAuditEntry,
  ChangeType,
  ExpiryWarning,
  MAX_ASSISTANT_NAME_LENGTH
} from './schema/organizations/audit.ts'
export { AuditAnchor } from './schema/organizations/auditAnchor.ts'
export {
  Member,
  Organization,
  OrganizationSettings,
  SigningKey,
  UpdateOrganizationSettings
} from './schema/organizations/organization.ts'
export { AllowedApplication, LoginSession } from './schema/organizations/ownAccount.ts'
export { RoleGrant } from './schema/organizations/roleGrant.ts'
export { CreateScimToken, ScimToken } from './schema/organizations/scimToken.ts'
export {
  AddedSecondFactor,
  AddPasskey,
  AuthenticatorAppSecret,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactor,
  SecondFactors
} from './schema/organizations/secondFactor.ts'
export { GrantedPermissions, Session } from './schema/organizations/session.ts'
export {
  CreateUserAccount,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  UpdateUserAccount,
  UserAccount
} from './schema/organizations/userAccount.ts'
export {
  ClaimCondition,
  CreateWorkloadTrust,
  DEFAULT_WORKLOAD_TOKEN_LIFETIME,
  MAX_LOGGED_CLAIM_LENGTH,
  MAX_WORKLOAD_TOKEN_LIFETIME,
  UpdateWorkloadTrust,
  Workload,
  WorkloadGrants,
  WorkloadToken,
  WorkloadTrust
} from './schema/organizations/workloadTrust.ts'
export {
  ApplyChangeRequest,
  ChangeRequest,
  ChangeRequestReview,
  ChangeRequestStatus,
  CreateChangeRequest,
  CreateProjectChangeRequest,
  EmergencyApplication,
  ListedChangeRequest,
  ProjectChangeRequest,
  ReviewChangeRequest,
  ScheduleChangeRequest,
  SubmitChangeRequest,
  UpdateChangeRequest,
  WaitingReviews
} from './schema/projects/changeRequest.ts'
export {
  CodeReference,
  CodeScan,
  CodeUsage,
  MAX_CODE_REFERENCES,
  UpdateCodeUsages
} from './schema/projects/codeUsage.ts'
export { CreateCustomProperty, CustomProperty, UpdateCustomProperty } from './schema/projects/customProperty.ts'
export {
  CreateEnvironment,
  Environment,
  GenerateSdkKeys,
  SdkKey,
  SdkKeys,
  UpdateEnvironment,
  UpdateSdkKey
} from './schema/projects/environment.ts'
export {
  Issue,
  IssueTracker,
  IssueTrackerConnection,
  IssueTrackerOrganization,
  IssueTrackerProject,
  LinkIssue,
  ObservabilityIntegration,
  ObservabilityIntegrations
} from './schema/projects/integration.ts'
export {
  MAX_MANAGED_RESOURCES,
  ManagedKind,
  ManagedResource,
  Management,
  UpdateManagement
} from './schema/projects/management.ts'
export {
  ArchivedManifestFlag,
  CreateManifestFlag,
  Manifest,
  ManifestError,
  ManifestFlag,
  ManifestFlagResponse,
  UpdateManifestFlag
} from './schema/projects/manifest.ts'
export {
  CurrentFeatureOverrides,
  CurrentOverride,
  DeletedOverrides,
  FeatureOverrides,
  Override,
  UpdateOverride
} from './schema/projects/override.ts'
export {
  CreateProject,
  FeatureApprovalWorkflow,
  OptInSettings,
  OverrideSettings,
  Project,
  ProjectSettings,
  SdkProject,
  UpdateProject,
  UpdateProjectSettings,
  UpdateProtectedSettings
} from './schema/projects/project.ts'
export { ProjectChange } from './schema/projects/projectChange.ts'
export { StalenessSettings } from './schema/projects/stalenessSettings.ts'
export { UserDataErasure, UserDataRecord } from './schema/projects/userData.ts'
export { UpdateUserProfile, UserProfile } from './schema/projects/userProfile.ts'
export { MAX_USER_SIGNING_SECRETS, UserSigningSecret } from './schema/projects/userSigningSecret.ts'
export {
  CreateWebhook,
  ListWebhookDeliveries,
  UpdateWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEvent,
  WebhookSecret
} from './schema/projects/webhook.ts'
export type { UpdatedFeatures, UpdateFeatures } from './schema/promotions/bulkUpdate.ts'
export type { ChangeItem } from './schema/promotions/changeItem.ts'
export {
  Comparison,
  type CreatePromotion,
  Promotion,
  type PromotionItem,
  type PromotionTarget,
  type TargetComparison
} from './schema/promotions/promotion.ts'
export {
  CountsFrom,
  CreateMetric,
  Metric,
  MetricAssociation,
  MetricDimension,
  UpdateMetric
} from './schema/results/metric.ts'
export {
  MetricResult,
  MetricResultQuery,
  MultipleExposures,
  ResultCoverage,
  SampleRatio
} from './schema/results/metricResult.ts'
export { EvaluationsQuery, FeatureEvaluations, ProjectEvaluations } from './schema/results/result.ts'
export { ComparisonPower, VariationResult } from './schema/results/variationResult.ts'
export { FeatureListItem, StatusInEnvironment } from './schema/summaries/featureListItem.ts'
