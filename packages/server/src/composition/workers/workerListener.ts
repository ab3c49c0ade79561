import type { RequestListener } from 'node:http'
import { bucketing } from '../../api/handlers/evaluation/bucketing.ts'
import { clientConfigs } from '../../api/handlers/evaluation/clientConfigs.ts'
import { ofrep } from '../../api/handlers/evaluation/ofrep.ts'
import { sdkEvents } from '../../api/handlers/evaluation/sdkEvents.ts'
import { createFastPath } from '../../api/http/fast/fastPath.ts'
import { forwardRequests } from '../../api/http/forwarding/forwardRequests.ts'
import { parseInnerBody } from '../../api/http/request/parseRequestPart.ts'
import { createReadBarrier } from '../../api/http/request/readBarrier.ts'
import type { RequestRecorder } from '../../api/http/requestLog.ts'
import type { KeyConfigs } from '../../delivery/configs/configs.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import { noTracing } from '../../telemetry/tracing/tracing.ts'
import type { MainFunctions, WorkerSettings } from './functions.ts'
import type { IpcClient } from './ipc.ts'
import type { Reports } from './reports.ts'

interface Dependencies {
  readonly settings: WorkerSettings
  readonly main: IpcClient<MainFunctions>
  readonly reports: Reports
  readonly configs: KeyConfigs
  readonly recorder: EventRecorder
  readonly requestRecorder: RequestRecorder
  readonly onEvents: (accepted: number, refused: number) => void
  readonly now: () => number
  readonly publicUrl: () => string | undefined
  readonly isStopping: () => boolean
}

/** Composes the fast path of a worker, which forwards to the main process what it does not answer. */
export function createWorkerListener({
  settings,
  main,
  reports,
  configs,
  recorder,
  requestRecorder,
  onEvents,
  now,
  publicUrl,
  isStopping
}: Dependencies): RequestListener {
  const { socketPath, trustedProxies, evaluatesOfrep } = settings
  const shared = {
    recorder,
    now,
    sampleUsers: { record: reports.sampleUser },
    applicationUsers: { findProperties: leaveToMain, findChoices: leaveToMain },
    configs
  }
  const { evaluateVariable, evaluateVariables, evaluateFeatures } = bucketing({
    ...shared,
    validate: parseInnerBody,
    onEvents: () => {}
  })
  const handlers = {
    ...{ evaluateVariable, evaluateVariables, evaluateFeatures },
    ...clientConfigs({ ...shared, publicUrl }),
    ...(evaluatesOfrep ? ofrep({ ...shared, announce: reports.announce }) : {}),
    // Called only for texts with the prefix of an SDK key.
    ...sdkEvents({ recorder, now, validate: parseInnerBody, configs: { current: leaveKeyToMain }, onEvents })
  }
  return createFastPath(
    {
      handlers,
      configs,
      now,
      // The limit counts the bytes of all workers.
      limits: { requests: undefined, bytes: leaveToMain },
      barrier: createReadBarrier({ catchUp: leaveToMain }),
      onKeyUse: reports.useKey,
      requestRecorder,
      tracing: noTracing,
      started: Promise.resolve(),
      isStopping,
      trustedProxies
    },
    forwardRequests({ socketPath, settle: () => main.call('settle', undefined), isStopping })
  )
}

/** Makes the fast path pass the request on, as for each failure whose cause is not the request. */
async function leaveToMain(): Promise<never> {
  throw new Error(ONLY_MAIN)
}

/** Like `leaveToMain`: the configs of a worker may lack keys. */
function leaveKeyToMain(): never {
  throw new Error(ONLY_MAIN)
}

const ONLY_MAIN = 'only the main process can answer this request'
