import type { ProblemCode } from '@burgee/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { receiverKinds } from '../../storage/resources/notification.ts'
import { EvaluationTotals } from './evaluationTotals.ts'
import { addEnvironmentMetrics, addServerGauges, type GaugeSources } from './gauges.ts'
import { RequestDurations } from './requestDurations.ts'
import { addWorkers, type WorkerSources } from './workerMetrics.ts'

/** The Prometheus metrics of the server. */
export interface ServerMetrics extends Instruments {
  readonly registry: Registry
  /** Returns the metrics in the format of Prometheus, including those of workers. */
  readonly read: () => Promise<string>
  readonly evaluations: EvaluationTotals
  /** Forgets all evaluations and appends of events so far, such as those of the history of a demo. */
  readonly clearEvents: () => void
}

/** Metrics that are updated as events happen. */
interface Instruments {
  readonly requests: RequestDurations
  readonly unexpectedErrors: Counter
  readonly events: Counter
  readonly refusedEvents: Counter
  /** Users of client and mobile keys, in environments with signed users. */
  readonly userSignatures: Counter<'result'>
  /** Evaluations that could not be stored. */
  readonly droppedEvaluations: Counter
  /** Stream messages that announced a config version. */
  readonly streamMessages: Counter
  /** Streams that were closed because the reader was too slow. */
  readonly droppedStreams: Counter
  /** Connections that were closed because too many pipelined requests waited. */
  readonly droppedConnections: Counter
  /** Change requests that were applied in an emergency. */
  readonly emergencies: Counter
  /** Stale features that are not silenced, as of the last scan. */
  readonly staleFeatures: Gauge<'project' | 'reason'>
  /** Features that an evaluation left out because of a problem. */
  readonly problems: Counter<'code'>
  /** Duration of event-store appends, successful or not. */
  readonly appends: Histogram<'outcome'>
  readonly attempts: Counter<'receiver' | 'outcome'>
  /** Finished outbound messages. */
  readonly deliveries: Counter<'receiver' | 'outcome'>
  /** When the keys of an issuer of CI jobs were read, in epoch seconds. */
  readonly issuerKeysRead: Gauge<'issuer'>
  readonly issuerKeyFailures: Counter<'issuer'>
  readonly dashboardRefusals: Counter<'reason'>
}

/** Returns the function that counts accepted and refused events. */
export function countEvents({ events, refusedEvents }: Pick<ServerMetrics, 'events' | 'refusedEvents'>) {
  return (accepted: number, refused: number): void => {
    events.inc(accepted)
    refusedEvents.inc(refused)
  }
}

/** Creates a registry per server, so that several servers can run in one process. */
export function createMetrics(sources: GaugeSources, workers?: WorkerSources): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  const evaluations = new EvaluationTotals()
  collectDefaultMetrics({ register: registry })
  addServerGauges(registers, sources)
  addEnvironmentMetrics(registers, sources.environments, evaluations)
  const read = workers ? addWorkers(registry, workers) : () => registry.metrics()
  const instruments = createInstruments(registers)
  const clearEvents = () => {
    evaluations.clear()
    clearAppends(instruments.appends)
  }
  return { registry, read, evaluations, clearEvents, ...instruments }
}

function clearAppends(appends: Instruments['appends']): void {
  appends.reset()
  for (const outcome of ['kept', 'repeated', 'failed']) appends.zero({ outcome })
}

function createInstruments(registers: Registry[]): Instruments {
  const counter = <Label extends string = never>(name: string, help: string, labels?: Labels<Label>) => {
    const created = new Counter({ name, help, labelNames: namesOf(labels), registers })
    for (const labelValues of labelCombinations(labels)) created.inc(labelValues, 0)
    return created
  }
  const appends = new Histogram({
    name: 'burgee_event_store_append_duration_seconds',
    help: 'Time to append to the event store durably, in seconds; repeated are payloads that were already stored.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers
  })
  clearAppends(appends)
  return {
    appends,
    requests: new RequestDurations(SECONDS, registers),
    unexpectedErrors: counter(
      'burgee_unexpected_errors_total',
      'Requests that failed with an unexpected error: responses with status 500, and responses that were cut off.'
    ),
    events: counter('burgee_events_total', 'Events accepted from applications.'),
    refusedEvents: counter('burgee_events_refused_total', 'Events that SDKs sent and the server rejected.'),
    userSignatures: counter(
      'burgee_user_signatures_total',
      'Users of requests with client and mobile keys in environments with signed users, by the result of the check.',
      { result: ['valid', 'wrong', 'missing', 'anonymous'] }
    ),
    droppedEvaluations: counter(
      'burgee_evaluations_dropped_total',
      'Evaluations, or their users, that are missing from results because they could not be stored.'
    ),
    streamMessages: counter(
      'burgee_stream_messages_total',
      'Messages sent on streams that announce a new config version.'
    ),
    droppedStreams: counter(
      'burgee_streams_dropped_total',
      'Streams that were closed because their clients read too slowly.'
    ),
    droppedConnections: counter(
      'burgee_connections_dropped_total',
      'Connections that were closed because too many pipelined requests waited.'
    ),
    emergencies: counter(
      'burgee_emergency_changes_total',
      'Change requests that were applied in an emergency, without the required approvals.'
    ),
    staleFeatures: new Gauge({
      name: 'burgee_stale_features',
      help: 'Features that are stale and not silenced, counted at the start and at 00:00 UTC, by project and reason.',
      labelNames: ['project', 'reason'],
      registers
    }),
    problems: counter('burgee_evaluation_problems_total', 'Features omitted from an evaluation because of a problem.', {
      code: problemCodes
    }),
    issuerKeysRead: new Gauge({
      name: 'burgee_issuer_keys_read_timestamp_seconds',
      help: 'When the keys of an issuer of workload identities were last read, in seconds since 1970.',
      labelNames: ['issuer'],
      registers
    }),
    issuerKeyFailures: new Counter({
      name: 'burgee_issuer_key_failures_total',
      help: 'Attempts to read the keys of an issuer of workload identities that failed.',
      labelNames: ['issuer'],
      registers
    }),
    dashboardRefusals: counter(
      'burgee_dashboard_requests_refused_total',
      'Requests with the session of the dashboard that no script of the dashboard sent, by reason.',
      { reason: ['origin', 'header', 'content', 'preflight'] }
    ),
    attempts: counter(
      'burgee_delivery_attempts_total',
      'Attempts to deliver a message to a webhook or an observability service.',
      { receiver: receiverKinds, outcome: ['succeeded', 'failed'] }
    ),
    deliveries: counter(
      'burgee_deliveries_total',
      'Messages that were delivered, or given up after the last attempt.',
      {
        receiver: receiverKinds,
        outcome: ['delivered', 'dead']
      }
    )
  }
}

/**
 * All values of each label. Series start at 0, because Prometheus misses the first increase of a series that appears
 * with that increase.
 */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>

function namesOf<Label extends string>(labels: Labels<Label> | undefined): Label[] {
  // The object has no other members.
  return Object.keys(labels ?? {}) as Label[]
}

function labelCombinations<Label extends string>(labels: Labels<Label> | undefined): Partial<Record<Label, string>>[] {
  const names = namesOf(labels)
  if (!labels || names.length === 0) return []
  return names.reduce<Partial<Record<Label, string>>[]>(
    (found, name) => found.flatMap((one) => labels[name].map((value) => ({ ...one, [name]: value }))),
    [{}]
  )
}

const problemCodes = Object.keys({
  UNDECIDED_DISTRIBUTION: true,
  UNKNOWN_VARIATION: true,
  UNKNOWN_VARIABLE: true,
  MISSING_START_PERCENTAGE: true,
  ENDLESS_FILTERS: true,
  MISSING_USER_ID: true
} satisfies Record<ProblemCode, true>)

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
