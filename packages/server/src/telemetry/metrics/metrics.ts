import type { ProblemCode } from '@burgee/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReceiverKind } from '../../integrations/outbox/deliveryChannel.ts'
import { EvaluationTotals } from './evaluationTotals.ts'
import { addEnvironmentMetrics, addServerGauges, type GaugeSources } from './gauges.ts'

/** What the server counts, for Prometheus. */
export interface ServerMetrics extends Instruments {
  readonly registry: Registry
  readonly evaluations: EvaluationTotals
}

/** What is counted as it happens. */
interface Instruments {
  readonly requests: Histogram<'operation' | 'method' | 'status'>
  readonly unexpectedErrors: Counter
  readonly events: Counter
  readonly refusedEvents: Counter
  /** Evaluations that could not be counted. */
  readonly droppedEvaluations: Counter
  /** Versions of configs that somebody was told of. */
  readonly streamMessages: Counter
  /** Streams that were dropped because their readers were too slow. */
  readonly droppedStreams: Counter
  /** Features that were stale and not silenced when they were last counted. */
  readonly staleFeatures: Gauge<'project' | 'reason'>
  /** Features that could not be decided during an evaluation. */
  readonly problems: Counter<'code'>
  /** How long it took to make entries of the event store durable, or to fail at it. */
  readonly appends: Histogram<'outcome'>
  readonly attempts: Counter<'receiver' | 'outcome'>
  /** Messages that are settled. */
  readonly deliveries: Counter<'receiver' | 'outcome'>
}

/** A registry of its own for each server, so that several can live in one process. */
export function createMetrics(sizes: GaugeSources): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  const evaluations = new EvaluationTotals()
  collectDefaultMetrics({ register: registry })
  addServerGauges(registers, sizes)
  addEnvironmentMetrics(registers, sizes.environments, evaluations)
  return { registry, evaluations, ...createInstruments(registers) }
}

function createInstruments(registers: Registry[]): Instruments {
  const counter = <Label extends string = never>(name: string, help: string, labels?: Labels<Label>) => {
    const made = new Counter({ name, help, labelNames: namesOf(labels), registers })
    for (const each of labelCombinations(labels)) made.inc(each, 0)
    return made
  }
  const appends = new Histogram({
    name: 'burgee_event_store_append_duration_seconds',
    help: 'Time to make an entry of the event store durable, in seconds; repeated are those that were there already.',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers
  })
  for (const outcome of ['kept', 'repeated', 'failed']) appends.zero({ outcome })
  return {
    appends,
    requests: new Histogram({
      name: 'burgee_http_request_duration_seconds',
      help: 'Time to answer HTTP requests, in seconds.',
      labelNames: ['operation', 'method', 'status'],
      buckets: SECONDS,
      registers
    }),
    unexpectedErrors: counter(
      'burgee_unexpected_errors_total',
      'Requests that failed for a reason that the server does not expect: those answered 500, and responses that broke off.'
    ),
    events: counter('burgee_events_total', 'Events accepted from applications.'),
    refusedEvents: counter('burgee_events_refused_total', 'Events that SDKs sent and that could not be taken.'),
    droppedEvaluations: counter(
      'burgee_evaluations_dropped_total',
      'Evaluations, or their users, that were not counted because they could not be kept.'
    ),
    streamMessages: counter(
      'burgee_stream_messages_total',
      'Messages about new versions of configs that were sent on streams.'
    ),
    droppedStreams: counter(
      'burgee_streams_dropped_total',
      'Streams that were cut because their readers did not take what they were sent.'
    ),
    staleFeatures: new Gauge({
      name: 'burgee_stale_features',
      help: 'Features that are stale and not silenced, counted at the start and at 00:00 UTC, by project and reason.',
      labelNames: ['project', 'reason'],
      registers
    }),
    problems: counter(
      'burgee_evaluation_problems_total',
      'Features left out of an evaluation because they could not be decided.',
      { code: problemCodes }
    ),
    attempts: counter(
      'burgee_delivery_attempts_total',
      'Attempts to deliver a message to a webhook or an observability service.',
      { receiver: receivers, outcome: ['succeeded', 'failed'] }
    ),
    deliveries: counter('burgee_deliveries_total', 'Messages that were delivered, and those that were given up.', {
      receiver: receivers,
      outcome: ['delivered', 'dead']
    })
  }
}

/** Label → all that it can say. All of it is there from the start, with 0: Prometheus notices no increase of what it has not seen before. */
type Labels<Label extends string> = Readonly<Record<Label, readonly string[]>>

function namesOf<Label extends string>(labels: Labels<Label> | undefined): Label[] {
  // It has no other members.
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

const receivers: readonly ReceiverKind[] = ['webhook', 'observability']

const problemCodes = Object.keys({
  UNDECIDED_DISTRIBUTION: true,
  UNKNOWN_VARIATION: true,
  UNKNOWN_VARIABLE: true,
  MISSING_START_PERCENTAGE: true,
  ENDLESS_FILTERS: true,
  MISSING_USER_ID: true
} satisfies Record<ProblemCode, true>)

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
