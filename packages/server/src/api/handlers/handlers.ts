import type { EditRunner } from '../../access/audit/edit.ts'
import type { Configs } from '../../delivery/configs/configs.ts'
import type { AnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import type { Streams } from '../../delivery/streams/streams.ts'
import type { FailedAttemptLimiter } from '../../identity/secrets/failedAttemptLimiter.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { InspectProject } from '../../insights/staleness/inspectProject.ts'
import type { DeliveryWorker } from '../../integrations/outbox/deliveryWorker.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { SafeFetch } from '../../lib/outbound/safeFetch.ts'
import type { ParseBody } from '../../lib/parseBody.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'
import { bucketing } from './evaluation/bucketing.ts'
import { clientConfigs } from './evaluation/clientConfigs.ts'
import { configDocuments } from './evaluation/configDocuments.ts'
import { edgeUsers } from './evaluation/edgeUsers.ts'
import { ofrep } from './evaluation/ofrep.ts'
import { optIn } from './evaluation/optIn.ts'
import { sdkEvents } from './evaluation/sdkEvents.ts'
import { streams } from './evaluation/streams.ts'
import { changeRequests } from './features/changeRequests.ts'
import { deprecatedFeatures } from './features/deprecatedFeatures.ts'
import { featureConfigurations } from './features/featureConfigurations.ts'
import { features } from './features/features.ts'
import { overrides } from './features/overrides.ts'
import { variables } from './features/variables.ts'
import { variations } from './features/variations.ts'
import type { Handlers } from './kit/handler.ts'
import { integrations } from './notifications/integrations.ts'
import { webhookDeliveries } from './notifications/webhookDeliveries.ts'
import { webhookSecrets } from './notifications/webhookSecrets.ts'
import { webhooks } from './notifications/webhooks.ts'
import { webhookTests } from './notifications/webhookTests.ts'
import { apiClients } from './organization/apiClients.ts'
import { audit } from './organization/audit.ts'
import { organizations } from './organization/organizations.ts'
import { people } from './organization/people.ts'
import { audiences } from './projects/audiences.ts'
import { customProperties } from './projects/customProperties.ts'
import { environments } from './projects/environments.ts'
import { projects } from './projects/projects.ts'
import { metricResults } from './results/metricResults.ts'
import { metrics } from './results/metrics.ts'
import { results } from './results/results.ts'

/** What the handlers work with. */
export interface HandlerDependencies {
  readonly store: Store
  /** What SDK keys stand for. */
  readonly configs: Configs
  readonly edit: EditRunner
  /** Holds a value against a schema of the contract, as the HTTP layer does with bodies. */
  readonly validate: ParseBody
  /** What happened, as far as it has been appended. */
  readonly eventStore: EventStore
  /** Through which it is appended. */
  readonly recorder: EventRecorder
  readonly ids: IdGenerator
  readonly now: () => number
  /** Finds out which features are stale. */
  readonly inspect: InspectProject
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
  readonly streams: Streams
  /** Delivers messages once more. */
  readonly deliveryWorker: Pick<DeliveryWorker, 'redeliver' | 'withNextAttempt'>
  /** Reaches what somebody else has named. */
  readonly send: SafeFetch
  /** Counts a test of a webhook of a project. @throws {ApiError} 429 once it has had too many. */
  readonly limitWebhookTests: (project: string) => Promise<void>
  /** What is wrong with an address to be called, as far as it can be told without calling it. */
  readonly validateOutboundUrl: (url: string) => string | undefined
  /** Tells clients of OFREP where they are told of changes. */
  readonly announce: AnnounceStream
  /** Counts wrong passwords. */
  readonly attemptLimiter: FailedAttemptLimiter
  /** Told how many events were accepted, and how many were not. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Every operation's handler. */
export function createHandlers(dependencies: HandlerDependencies): Handlers {
  return {
    ...bucketing(dependencies),
    ...sdkEvents(dependencies),
    ...edgeUsers(dependencies),
    ...optIn(dependencies),
    ...clientConfigs(dependencies),
    ...configDocuments(dependencies),
    ...ofrep(dependencies),
    ...streams(dependencies),
    ...organizations(dependencies),
    ...people(dependencies),
    ...apiClients(dependencies),
    ...projects(dependencies),
    ...environments(dependencies),
    ...customProperties(dependencies),
    ...overrides(dependencies),
    ...variables(dependencies),
    ...changeRequests(dependencies),
    ...features(dependencies),
    ...variations(dependencies),
    ...featureConfigurations(dependencies),
    ...deprecatedFeatures(dependencies),
    ...audit(dependencies),
    ...audiences(dependencies),
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
