import type { EditRunner } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { ChangeStreams } from '../../delivery/changes/changeStreams.ts'
import type { Configs, KeyConfigs } from '../../delivery/configs/configs.ts'
import type { AnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import type { Streams } from '../../delivery/streams/streams.ts'
import type { ApplicationUsers } from '../../flags/applicationUsers/applicationUsers.ts'
import type { EnvironmentUses } from '../../flags/environments/environmentUse.ts'
import type { SecretHasher } from '../../identity/secrets/secretHash.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../insights/previews/sampleUsers.ts'
import type { TimeSeriesCache } from '../../insights/results/timeSeriesCache.ts'
import type { InspectProject } from '../../insights/staleness/inspectProject.ts'
import type { DeliveryWorker } from '../../integrations/outbox/deliveryWorker.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import type { AccessLog } from '../../storage/accessLog/accessLog.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'
import { bucketing } from './evaluation/bucketing.ts'
import { clientConfigs } from './evaluation/clientConfigs.ts'
import { configDocuments } from './evaluation/configDocuments.ts'
import { edgeNodes } from './evaluation/edgeNodes.ts'
import { edgeUsers } from './evaluation/edgeUsers.ts'
import { ofrep } from './evaluation/ofrep.ts'
import { optIn } from './evaluation/optIn.ts'
import { sdkEvents } from './evaluation/sdkEvents.ts'
import { streams } from './evaluation/streams.ts'
import { bulkUpdates } from './features/bulkUpdates.ts'
import { changeRequests } from './features/changeRequests.ts'
import { deprecatedFeatures } from './features/deprecatedFeatures.ts'
import { explanations } from './features/explanations.ts'
import { featureConfigurations } from './features/featureConfigurations.ts'
import { featureSummaries } from './features/featureSummaries.ts'
import { features } from './features/features.ts'
import { overrides } from './features/overrides.ts'
import { previews } from './features/previews.ts'
import { promotions } from './features/promotions.ts'
import { variables } from './features/variables.ts'
import { variations } from './features/variations.ts'
import { integrations } from './notifications/integrations.ts'
import { webhookDeliveries } from './notifications/webhookDeliveries.ts'
import { webhookSecrets } from './notifications/webhookSecrets.ts'
import { webhooks } from './notifications/webhooks.ts'
import { webhookTests } from './notifications/webhookTests.ts'
import { accessLog } from './organization/accessLog.ts'
import { apiClients } from './organization/apiClients.ts'
import { audit } from './organization/audit.ts'
import { organizations } from './organization/organizations.ts'
import { people, type SignInSettings } from './organization/people.ts'
import { scimTokens } from './organization/scimTokens.ts'
import { secondFactors } from './organization/secondFactors.ts'
import { workloadTrusts } from './organization/workloadTrusts.ts'
import { audiences } from './projects/audiences.ts'
import { changes } from './projects/changes.ts'
import { codeUsages } from './projects/codeUsages.ts'
import { customProperties } from './projects/customProperties.ts'
import { environments } from './projects/environments.ts'
import { projectChangeRequests } from './projects/projectChangeRequests.ts'
import { projects } from './projects/projects.ts'
import { userData } from './projects/userData.ts'
import { userSigningSecrets } from './projects/userSigningSecrets.ts'
import { metricResults } from './results/metricResults.ts'
import { metrics } from './results/metrics.ts'
import { results } from './results/results.ts'
import type { Handlers } from './shared/handler.ts'
import { createPreviewQueue } from './shared/previewQueue.ts'

/** The dependencies of the handlers. */
export interface HandlerDependencies {
  readonly store: Store
  /** The configs by SDK key. */
  readonly configs: Configs
  readonly edit: EditRunner
  /** Validates a value by a schema of the contract, as the HTTP layer does with bodies. */
  readonly validate: ParseBody
  /** When environments and their keys were used. */
  readonly environmentUses: Pick<EnvironmentUses, 'read'>
  /** The stored users of applications. */
  readonly applicationUsers: ApplicationUsers
  /** The stored events. */
  readonly eventStore: EventStore
  /** Computes the time series of metric results. */
  readonly readTimeSeries: TimeSeriesCache
  readonly accessLog: AccessLog
  /** The users that were evaluated lately. */
  readonly sampleUsers: SampleUsers
  /** Records events and evaluations. */
  readonly recorder: EventRecorder
  readonly ids: IdGenerator
  /** How people sign in. */
  readonly signIn: SignInSettings
  readonly serverVersion: string
  /** Whether the demo project exists. */
  readonly isDemo: boolean
  /** Whether assistants can connect at `/mcp`. */
  readonly isToolServer: boolean
  readonly hasher: SecretHasher
  readonly now: () => number
  /** Determines which features are stale. */
  readonly inspect: InspectProject
  /** The ids of clients that the server settings contain. */
  readonly configuredClientIds: ReadonlySet<string>
  /** The public URL of the server, if it is known. */
  readonly publicUrl: () => string | undefined
  readonly streams: Streams
  /** The streams of changes of projects. */
  readonly changeStreams: ChangeStreams
  /** Repeats deliveries on request. */
  readonly deliveryWorker: Pick<DeliveryWorker, 'redeliver' | 'withNextAttempt'>
  /** Sends requests to URLs that users configure. */
  readonly send: SafeFetch
  /** Counts webhook tests per project. @throws {HttpError} 429 above the limit. */
  readonly limitWebhookTests: (project: string) => Promise<void>
  /** Returns why the server would never call a URL, if it can tell without a request. */
  readonly validateOutboundUrl: (url: string) => string | undefined
  /** Announces event streams to OFREP clients. */
  readonly announce: AnnounceStream
  /** Receives the numbers of accepted and refused events. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** The dependencies of the handlers that evaluate, deliver configs and take events. They need no store. */
export interface EvaluationHandlerDependencies
  extends Pick<HandlerDependencies, 'validate' | 'recorder' | 'now' | 'publicUrl' | 'announce' | 'onEvents'> {
  readonly configs: KeyConfigs
  readonly applicationUsers: Pick<ApplicationUsers, 'findProperties' | 'findChoices'>
  readonly sampleUsers: Pick<SampleUsers, 'record'>
  readonly streams: Pick<Streams, 'open'>
}

/** Creates the handlers that evaluate, deliver configs and take events. */
export function createEvaluationHandlers(dependencies: EvaluationHandlerDependencies) {
  return {
    ...bucketing(dependencies),
    ...sdkEvents(dependencies),
    ...clientConfigs(dependencies),
    ...configDocuments(dependencies),
    ...ofrep(dependencies),
    ...streams(dependencies)
  }
}

/** Creates the handlers of all operations. */
export function createHandlers(dependencies: HandlerDependencies): Handlers {
  const trials = { ...dependencies, previewQueue: createPreviewQueue() }
  return {
    ...createEvaluationHandlers(dependencies),
    ...edgeUsers(dependencies),
    ...optIn(dependencies),
    ...edgeNodes(dependencies),
    ...organizations(dependencies),
    ...people(dependencies),
    ...secondFactors(dependencies),
    ...apiClients(dependencies),
    ...scimTokens(dependencies),
    ...workloadTrusts(dependencies),
    ...accessLog(dependencies),
    ...projects(dependencies),
    ...changes(dependencies),
    ...environments(dependencies),
    ...userSigningSecrets(dependencies),
    ...userData(dependencies),
    ...codeUsages(dependencies),
    ...customProperties(dependencies),
    ...overrides(dependencies),
    ...variables(dependencies),
    ...changeRequests(dependencies),
    ...projectChangeRequests(dependencies),
    ...features(dependencies),
    ...variations(dependencies),
    ...featureConfigurations(dependencies),
    ...bulkUpdates(dependencies),
    ...promotions(trials),
    ...featureSummaries(dependencies),
    ...deprecatedFeatures(dependencies),
    ...audit(dependencies),
    ...audiences(dependencies),
    ...explanations(trials),
    ...previews(trials),
    ...metrics(dependencies),
    ...metricResults(dependencies),
    ...webhooks(dependencies),
    ...webhookSecrets(dependencies),
    ...webhookTests(dependencies),
    ...webhookDeliveries(dependencies),
    ...results(dependencies),
    ...integrations(dependencies)
  }
}
