import type { Configs } from '../../delivery/configs/configs.ts'
import type { AnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import type { EnvironmentUses } from '../../flags/environments/environmentUse.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../insights/previews/sampleUsers.ts'
import { UncertainWriteError } from '../../storage/store.ts'
import type { MetricsSnapshot } from '../../telemetry/metrics/workerMetrics.ts'
import type { ReportProblem } from '../../telemetry/problemReporter.ts'
import type { PublicAddress } from '../publicAddress.ts'
import type { ConfigFeed } from './configFeed.ts'
import type { ServiceFunctions } from './functions.ts'

/** The services of the main process that workers use. */
export interface MainServices extends Pick<PublicAddress, 'publicUrl' | 'isReachable'> {
  readonly configs: Pick<Configs, 'ids' | 'environment' | 'subscribe'>
  readonly recorder: Pick<EventRecorder, 'append'>
  readonly environmentUses: Pick<EnvironmentUses, 'recordKey'>
  readonly sampleUsers: Pick<SampleUsers, 'record'>
  readonly announce: AnnounceStream
  readonly reportProblem: ReportProblem
}

/** What the main process offers to workers once they may evaluate. */
export interface Serving {
  readonly services: MainServices
  readonly feed: ConfigFeed
}

/**
 * Creates the functions that workers call. Until workers may evaluate, `append` fails, and the others have no effect.
 */
export function createServiceFunctions(
  serving: () => Serving | undefined,
  recordCounts: (worker: number, snapshot: MetricsSnapshot) => void
): ServiceFunctions {
  const services = () => serving()?.services
  return {
    settle: async () => serving()?.feed.settle(),
    append: async (entry) => {
      const recorder = services()?.recorder
      // The worker acknowledges events when this resolves.
      if (!recorder) throw new Error('the main process does not accept events yet')
      return isStored(recorder.append(entry))
    },
    useKey: ({ environment, keyDigest }) => services()?.environmentUses.recordKey(environment, keyDigest),
    sampleUser: ({ environment, user }) => services()?.sampleUsers.record(environment, user),
    announce: async ({ network, ...caller }) => services()?.announce(caller, network),
    reportProblem: ({ environment, problem }) => services()?.reportProblem(environment, problem),
    recordCounts: ({ worker, snapshot }) => recordCounts(worker, snapshot)
  }
}

/** Resolves with `true` when an entry is stored, and with `false` if that is uncertain. Rejects if it is not stored. */
async function isStored(append: Promise<void>): Promise<boolean> {
  try {
    await append
    return true
  } catch (error) {
    if (error instanceof UncertainWriteError) return false
    throw error
  }
}
