export { ApiClient, CreateApiClient, UpdateApiClient } from './schema/apiClient.ts'
export { Audience, AudienceInstructions, AudienceUsage, CreateAudience, UpdateAudience } from './schema/audience.ts'
export {
  Actor,
  AuditLogChange,
  AuditLogEntry,
  AuditVerification,
  ChainedAuditEntry,
  ChangeType,
  MAX_ASSISTANT_NAME_LENGTH
} from './schema/audit.ts'
export { BucketedUserConfig } from './schema/bucketedUserConfig.ts'
export {
  ApplyChangeRequest,
  ChangeRequest,
  ChangeRequestReview,
  ChangeRequestStatus,
  CreateChangeRequest,
  ProjectChangeRequest,
  ReviewChangeRequest,
  ScheduleChangeRequest,
  SubmitChangeRequest,
  UpdateChangeRequest
} from './schema/changeRequest.ts'
export { BootstrapDocument, ConfigDocument } from './schema/configDocument.ts'
export { CreateCustomProperty, CustomProperty, UpdateCustomProperty } from './schema/customProperty.ts'
export {
  CreateEnvironment,
  Environment,
  GenerateSdkKeys,
  isProtected,
  SdkKey,
  SdkKeys,
  UpdateEnvironment
} from './schema/environment.ts'
export { ErrorBody, Message } from './schema/error.ts'
export { BucketedFeature, BucketedVariable, EvalReason } from './schema/evaluation.ts'
export {
  Event,
  EventsReceived,
  EventUser,
  MAX_EVENTS,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_REPORTED_ISSUES,
  MAX_USER_ID_LENGTH,
  SdkEvent,
  SdkEventBatches,
  SdkEvents,
  Track
} from './schema/event.ts'
export { Feature } from './schema/feature.ts'
export {
  FeatureConfiguration,
  FeatureConfigurationStatus,
  UpdateFeatureConfiguration
} from './schema/featureConfiguration.ts'
export { CreateFeature, UpdateFeature, UpdateFeatureStatus, withDefaultVariations } from './schema/featureInput.ts'
export { FeatureSummary, Link, UpdateSummary } from './schema/featureSummary.ts'
export { ChangeSource, Sha256 } from './schema/fields.ts'
export { AllFilter, AudienceMatchFilter, OptInFilter, UserFilter } from './schema/filters.ts'
export {
  IssueTracker,
  IssueTrackerOrganization,
  IssueTrackerProject,
  ObservabilityIntegration,
  ObservabilityIntegrations
} from './schema/integration.ts'
export { Issue, LinkIssue } from './schema/issue.ts'
export { Key, RESERVED_KEYS } from './schema/key.ts'
export { ManagementError } from './schema/managementError.ts'
export { Metadata } from './schema/metadata.ts'
export { CreateMetric, Metric, MetricAssociation, MetricDimension, UpdateMetric } from './schema/metric.ts'
export { MetricResult, SampleRatio, VariationResult } from './schema/metricResult.ts'
export {
  BulkEvaluation,
  BulkFailure,
  EvaluationContext,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess
} from './schema/ofrep.ts'
export { AudienceOperator, TargetOperator } from './schema/operator.ts'
export { OptInChoices, OptInConfig } from './schema/optIn.ts'
export {
  Member,
  Organization,
  OrganizationSettings,
  SigningKey,
  UpdateOrganizationSettings
} from './schema/organization.ts'
export {
  CurrentFeatureOverrides,
  CurrentOverride,
  FeatureOverrides,
  Override,
  UpdateOverride
} from './schema/override.ts'
export { DEFAULT_PER_PAGE, Pagination } from './schema/pagination.ts'
export {
  CreateProject,
  FeatureApprovalWorkflow,
  OptInSettings,
  Project,
  ProjectSettings,
  SdkProject,
  UpdateProject,
  UpdateProjectSettings,
  UpdateProtectedSettings
} from './schema/project.ts'
export { EvaluationsQuery, FeatureEvaluations, ProjectEvaluations } from './schema/result.ts'
export { RoleGrant } from './schema/roleGrant.ts'
export { Fraction, Rollout } from './schema/rollout.ts'
export { FeatureStaleness, StalenessReason, UpdateStaleness } from './schema/staleness.ts'
export { StalenessSettings } from './schema/stalenessSettings.ts'
export { StaticConfiguration, UpdateStaticConfiguration } from './schema/staticConfiguration.ts'
export { EventStream, StreamMessage } from './schema/stream.ts'
export { Target, TargetInput } from './schema/target.ts'
export { CustomData, EdgeUser, MAX_ATTRIBUTES, MAX_CUSTOM_DATA_LENGTH, User } from './schema/user.ts'
export {
  CreateUserAccount,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  UpdateUserAccount,
  UserAccount
} from './schema/userAccount.ts'
export { UpdateUserProfile, UserProfile } from './schema/userProfile.ts'
export { ValidationSchema } from './schema/validationSchema.ts'
export {
  CreateVariable,
  MAX_VARIABLES,
  UpdateVariable,
  UpdateVariableStatus,
  Variable,
  VariableStatus,
  VariableType
} from './schema/variable.ts'
export { CreateVariation, MAX_VARIATIONS, UpdateVariation, Variation, VariationInput } from './schema/variation.ts'
export {
  CreateWebhook,
  ListWebhookDeliveries,
  UpdateWebhook,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret
} from './schema/webhook.ts'
