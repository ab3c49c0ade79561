import type { AddressInfo } from 'node:net'
import type { Problem, User } from '@burgee/core'
import type { KeyConfig } from '../../delivery/configs/keyConfig.ts'
import type { StreamAnnouncement } from '../../delivery/streams/streamAnnouncement.ts'
import type { EventEntry } from '../../storage/events/eventEntry.ts'
import type { MetricsSnapshot } from '../../telemetry/metrics/workerMetrics.ts'
import type { WorkerConfig } from './configFeed.ts'
import type { IpcFunctions } from './ipc.ts'

/** The settings of a worker, the only argument of its program. */
export interface WorkerSettings {
  readonly host: string
  readonly port: number
  readonly logLevel: string
  readonly trustedProxies: number
  /** The socket at which the main process takes requests. */
  readonly socketPath: string
  readonly stallTimeoutMs: number
  readonly requestTimeoutMs?: number | undefined
  /** How long the worker may warm up evaluations, in milliseconds. */
  readonly warmUpMs: number
  /** Whether the worker evaluates at all; otherwise it forwards every request. */
  readonly evaluates: boolean
  /** Whether it answers OFREP requests. */
  readonly evaluatesOfrep: boolean
  /** Whether it offers users to the sample of recent users. */
  readonly samplesUsers: boolean
}

/** The functions that the main process calls in a worker. */
export interface WorkerFunctions extends IpcFunctions {
  readonly setConfig: (config: WorkerConfig) => void
  /** Begins to evaluate. Configs name streams at this URL, unless clients cannot reach the server. */
  readonly activate: (input: { readonly publicUrl: string | undefined }) => Promise<void>
  /** Appends the evaluations counted so far. */
  readonly flush: (options: { readonly withUsers?: boolean }) => Promise<void>
  readonly readMetrics: (input: undefined) => Promise<MetricsSnapshot>
  /** Acknowledges the stop at once, then finishes the requests, and ends the process. */
  readonly stop: (input: { readonly lingerMs: number }) => void
}

/** Where a worker listens, or why it cannot. */
export type ListenResult =
  | { readonly address: AddressInfo; readonly failure?: undefined }
  | { readonly address?: undefined; readonly failure: string }

/** The functions that a worker calls in the main process. */
export interface MainFunctions extends ServiceFunctions {
  /** The first call of a worker. */
  readonly reportListening: (listening: ListenResult) => void
}

/** The functions that a worker calls when it listens. */
export interface ServiceFunctions extends IpcFunctions {
  /** Resolves when all workers evaluate with the changes so far. */
  readonly settle: (input: undefined) => Promise<void>
  /** Stores evaluations and events of the worker. Resolves with `false` if it is uncertain whether they are stored. */
  readonly append: (entry: EventEntry) => Promise<boolean>
  /** Records the use of an SDK key. */
  readonly useKey: (use: { readonly environment: string; readonly keyDigest: string }) => void
  readonly sampleUser: (sampled: { readonly environment: string; readonly user: User }) => void
  /** Logs an evaluation problem that the worker has counted. */
  readonly reportProblem: (found: { readonly environment: string; readonly problem: Problem }) => void
  /** Records the counts of a worker since its start, in case it ends before the next scrape. */
  readonly recordCounts: (counts: { readonly worker: number; readonly snapshot: MetricsSnapshot }) => void
  /** Announces a stream. */
  readonly announce: (
    caller: Pick<KeyConfig, 'keyDigest' | 'keyType' | 'version'> & { readonly network: string }
  ) => Promise<StreamAnnouncement | undefined>
}
