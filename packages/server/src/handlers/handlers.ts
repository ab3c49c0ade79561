import type { MakeEdit } from '../audit/edit.ts'
import type { Configs } from '../configs/configs.ts'
import type { EventLog } from '../events/eventLog.ts'
import type { Ids } from '../id.ts'
import type { Attempts } from '../secrets/attempts.ts'
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
import { webhooks } from './webhooks.ts'

/** What the handlers work with. */
export interface Dependencies {
  readonly store: Store
  /** What SDK keys stand for. */
  readonly configs: Configs
  readonly edit: MakeEdit
  /** Holds a value against a schema of the contract, as the HTTP layer does with bodies. */
  readonly validate: Validate
  readonly events: EventLog
  readonly ids: Ids
  readonly now: () => number
  /** The address under which callers reach the server, where it is known. */
  readonly publicUrl: () => string | undefined
  readonly streams: Streams
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
    ...webhooks(dependencies),
    ...results(dependencies),
    ...integrations(dependencies)
  }
}
