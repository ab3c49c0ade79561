import type { Input, Operations } from '@burgee/contract'
import { EdgeEvents } from '@burgee/contract/schemas'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { Configs } from '../../../delivery/configs/configs.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { createDownload } from '../../../delivery/downloads/download.ts'
import { toEdgeConfig } from '../../../delivery/replicas/toEdgeConfig.ts'
import type { EventRecorder } from '../../../insights/evaluations/eventRecorder.ts'
import { notFound } from '../../../lib/errors.ts'
import { memoizeByIdentity } from '../../../lib/object.ts'
import { MINUTE } from '../../../lib/time.ts'
import type { EventEntry } from '../../../storage/events/eventEntry.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly configs: Pick<Configs, 'environment'>
  readonly recorder: Pick<EventRecorder, 'append'>
  readonly validate: ParseBody
  readonly now: () => number
  /** Receives the numbers of accepted and refused events. */
  readonly onEvents: (accepted: number, refused: number) => void
}

/** Handlers of the operations that edge nodes call (docs/guides/edge.md). */
export function edgeNodes({
  configs,
  recorder,
  validate,
  now,
  onEvents
}: Dependencies): Pick<Handlers, 'getEdgeConfig' | 'sendEdgeEvents'> {
  const download = memoizeByIdentity(({ version, environment }: KeyConfig) =>
    createDownload(version, () => {
      const found = configs.environment(environment._id)
      if (!found) throw notFound(`environment "${environment.key}" was deleted`)
      return toEdgeConfig(found)
    })
  )
  return {
    getEdgeConfig: (_input, caller) => download(caller),

    sendEdgeEvents: async ({ body }: Input<Operations['sendEdgeEvents']>, caller) => {
      const { entries } = validate(EdgeEvents, body)
      const at = now()
      const received = entries.map(
        ({ reports = [], counts = [], exposures = [], ...entry }): EventEntry => ({
          ...entry,
          reports: reports as EventEntry['reports'],
          counts,
          exposures,
          environment: caller.environment._id,
          at: arrivalOf(entry.at, at)
        })
      )
      // All appends start in this turn, which keeps their order.
      await Promise.all(received.map((entry) => recorder.append(entry)))
      onEvents(
        received.reduce((sum, { reports }) => sum + countEvents(reports), 0),
        0
      )
      return { message: `Successfully received ${received.length} entries` }
    }
  }
}

/**
 * Returns the time of an entry. Older ones count as of now: experiments have read the earlier days already, and
 * repeated payloads are recognized for an hour after this time.
 */
function arrivalOf(at: number, now: number): number {
  return at < now - MAX_DELAY ? now : Math.min(at, now)
}

const MAX_DELAY = 30 * MINUTE

function countEvents(reports: EventEntry['reports']): number {
  return reports.reduce((sum, { events }) => sum + events.length, 0)
}
