import type { MakeEdit } from '../audit/edit.ts'
import type { Configs } from '../configs/configs.ts'
import type { Courier } from '../deliveries/courier.ts'
import type { EventStore } from '../eventStore/eventStore.ts'
import type { Recorder } from '../events/recorder.ts'
import type { Ids } from '../id.ts'
import type { Send } from '../outbound/send.ts'
import type { Attempts } from '../secrets/attempts.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { Store } from '../store/store.ts'
import type { Announce } from '../streams/announce.ts'
import type { Streams } from '../streams/streams.ts'
import type { Validate } from '../validate.ts'
import { apiClients } from './apiClients.ts'
import { audiences } from './audiences.ts'
import { audit } from './audit.ts'
import { bucketing } from './bucketing.ts'
import { changeRequests } from './changeRequests.ts'
import { clientConfigs } from './clientConfigs.ts'
import { configDocuments } from './configDocuments.ts'
import { customProperties } from './customProperties.ts'
import { deprecatedFeatures } from './deprecatedFeatures.ts'
import { edge } from './edge.ts'
import { environments } from './environments.ts'
import { featureConfigurations } from './featureConfigurations.ts'
import { features } from './features.ts'
import type { Handlers } from './handler.ts'
import { integrations } from './integrations.ts'
import { metricResults } from './metricResults.ts'
import { metrics } from './metrics.ts'
import { ofrep } from './ofrep.ts'
import { optIn } from './optIn.ts'
import { organizations } from './organizations.ts'
import { overrides } from './overrides.ts'
import { people } from './people.ts'
import { projects } from './projects.ts'
import { results } from './results.ts'
import { sdkEvents } from './sdkEvents.ts'
import { streams } from './streams.ts'
import { variables } from './variables.ts'
import { variations } from './variations.ts'
import { webhookDeliveries } from './webhookDeliveries.ts'
import { webhookSecrets } from './webhookSecrets.ts'
import { webhooks } from './webhooks.ts'
import { webhookTests } from './webhookTests.ts'

/** What the handlers work with. */
export interface Dependencies {
  readonly store: Store
  /** What SDK keys stand for. */
  readonly configs: Configs
  readonly edit: MakeEdit
  /** Holds a value against a schema of the contract, as the HTTP layer does with bodies. */
  readonly validate: Validate
  /** What happened, as far as it has been appended. */
  readonly eventStore: EventStore
  /** Through which it is appended. */
  readonly recorder: Recorder
  readonly ids: Ids
  readonly now: () => number
  /** Finds out which features are stale. */
  readonly inspect: Inspect
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
  readonly streams: Streams
  /** Delivers messages once more. */
  readonly courier: Pick<Courier, 'redeliver'>
  /** Reaches what somebody else has named. */
  readonly send: Send
  /** Counts a test of a webhook of a project. @throws {ApiError} 429 once it has had too many. */
  readonly limitWebhookTests: (project: string) => Promise<void>
  /** What is wrong with an address to be called, as far as it can be told without calling it. */
  readonly mistakeOfTarget: (url: string) => string | undefined
  /** Tells clients of OFREP where they are told of changes. */
  readonly announce: Announce
  /** Counts wrong passwords. */
  readonly attempts: Attempts
  /** Told how many events were accepted, and how many were not. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Every operation's handler. */
export function createHandlers(dependencies: Dependencies): Handlers {
  return {
    ...bucketing(dependencies),
    ...sdkEvents(dependencies),
    ...edge(dependencies),
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
