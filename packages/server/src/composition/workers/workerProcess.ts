import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { ListenResult, MainFunctions, ServiceFunctions, WorkerFunctions, WorkerSettings } from './functions.ts'
import { connectIpc, type IpcClient } from './ipc.ts'

/** A process that was started, and may not listen yet. */
export interface WorkerProcess {
  readonly process: Worker
  readonly client: IpcClient<WorkerFunctions>
  /** Resolves when the worker listens, or cannot. @throws {Error} if it ends before. */
  readonly started: Promise<ListenResult>
}

/** How a process ended. */
export interface WorkerExit {
  readonly code: number | null
  readonly signal: string | null
}

interface Dependencies {
  /** The program of a worker. */
  readonly program: URL
  readonly settings: WorkerSettings
  readonly functions: ServiceFunctions
  readonly onExit: (exit: WorkerExit) => void
}

/** Starts a process of the cluster, connected by functions in both directions. */
export function forkWorker({ program, settings, functions, onExit }: Dependencies): WorkerProcess {
  // Frozen by the first worker of this process; the kernel gives a connection to a worker that waits for one.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    exec: fileURLToPath(program),
    args: [JSON.stringify(settings)],
    serialization: 'advanced'
  })
  const forked = cluster.fork()
  let reportListening: MainFunctions['reportListening'] = () => {}
  const started = new Promise<ListenResult>((resolve, reject) => {
    reportListening = resolve
    forked.once('exit', (code: number | null, signal: string | null) => {
      const reason = signal === null ? `code ${code}` : `signal ${signal}`
      reject(new Error(`a worker ended before it listened (${reason})`))
      onExit({ code, signal })
    })
  })
  const client = connectIpc<WorkerFunctions>(forked.process, { ...functions, reportListening })
  return { process: forked, client, started }
}
