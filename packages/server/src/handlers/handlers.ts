import type { EventLog } from '../events/eventLog.ts'
import type { Ids } from '../id.ts'
import type { Store } from '../store/store.ts'
import { bucketing } from './bucketing.ts'
import { edge } from './edge.ts'
import type { Handlers } from './handler.ts'
import { ofrep } from './ofrep.ts'
import { optIn } from './optIn.ts'

/** What the handlers work with. */
export interface Dependencies {
  readonly store: Store
  readonly events: EventLog
  readonly ids: Ids
  readonly now: () => number
  /** Told how many events were accepted. */
  readonly onEvents: (count: number) => void
}

/** Every operation's handler. */
export function createHandlers(dependencies: Dependencies): Handlers {
  return { ...bucketing(dependencies), ...edge(dependencies), ...optIn(dependencies), ...ofrep(dependencies) }
}
