import type { MakeEdit } from '../audit/edit.ts'
import type { EventLog } from '../events/eventLog.ts'
import type { Ids } from '../id.ts'
import type { Attempts } from '../secrets/attempts.ts'
import type { Store } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import { apiClients } from './apiClients.ts'
import { audiences } from './audiences.ts'
import { audit } from './audit.ts'
import { bucketing } from './bucketing.ts'
import { changeRequests } from './changeRequests.ts'
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
import { variables } from './variables.ts'
import { variations } from './variations.ts'
import { webhooks } from './webhooks.ts'

/** What the handlers work with. */
export interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  /** Holds a value against a schema of the contract, as the HTTP layer does with bodies. */
  readonly validate: Validate
  readonly events: EventLog
  readonly ids: Ids
  readonly now: () => number
  /** Counts wrong passwords. */
  readonly attempts: Attempts
  /** Told how many events were accepted. */
  readonly onEvents: (count: number) => void
}

/** Every operation's handler. */
export function createHandlers(dependencies: Dependencies): Handlers {
  return {
    ...bucketing(dependencies),
    ...edge(dependencies),
    ...optIn(dependencies),
    ...ofrep(dependencies),
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
