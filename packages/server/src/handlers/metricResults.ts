import type { Metric, MetricResult } from '@burgee/contract'
import { show } from '@burgee/contract'
import { invalid } from '../errors.ts'
import type { EventStore } from '../eventStore/eventStore.ts'
import type { Recorder } from '../events/recorder.ts'
import { environmentIds, findIn, findProject } from '../find.ts'
import { inUtc } from '../inUtc.ts'
import { type Asker, createMeasurements } from '../results/measurements.ts'
import { metricResult } from '../results/metricResult.ts'
import { type MetricQuery, metricRange } from '../results/range.ts'
import type { StoredFeature, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly eventStore: Pick<EventStore, 'occurrences' | 'revision'>
  readonly recorder: Pick<Recorder, 'flush'>
  readonly now: () => number
}

/** Tells how the variations of features fare by a metric. */
export function metricResults({
  store,
  eventStore,
  recorder,
  now
}: Dependencies): Pick<Handlers, 'getMetricResults' | 'testMetricResults'> {
  const measured = createMeasurements(eventStore, now)

  /** The result of a feature for the range that a request asks for. */
  const resultOf = async (project: StoredProject, asked: Asked, query: MetricQuery): Promise<MetricResult> => {
    const { feature, event, dimension, asker } = asked
    const range = metricRange(query)
    const environments = await environmentIds(store, project, query.environment)
    // What was evaluated until now is to be in it.
    await recorder.flush()
    const variations = feature.variations.map(({ _id }) => _id)
    const of = { environments, range, feature: feature._id, event, dimension, variations }
    const { looks, at, cached } = await measured(of, asker)
    const { items } = await store.collection('configurations').list({ where: { _feature: feature._id } })
    const configurations = items.filter(({ _environment }) => environments.includes(_environment))
    return { result: metricResult({ ...asked, configurations, now: now() }, looks), cached, updatedAt: inUtc(at) }
  }

  return {
    getMetricResults: async ({ params, query }, caller, connection) => {
      const project = await findProject(store, params.project, caller)
      const metric = await findIn(store, 'metrics', project, params.key)
      const feature = await findIn(store, 'features', project, query.feature)
      return resultOf(
        project,
        { ...metric, feature, control: feature.controlVariation, asker: { ...connection, id: caller.id } },
        query
      )
    },

    testMetricResults: async ({ params, query }, caller, connection) => {
      const project = await findProject(store, params.project, caller)
      const feature = await findIn(store, 'features', project, query.feature)
      demandControl(feature, query.control)
      return resultOf(project, { ...query, feature, asker: { ...connection, id: caller.id } }, query)
    }
  }
}

/** What is asked of a feature. */
interface Asked extends Pick<Metric, 'event' | 'dimension' | 'optimize'> {
  readonly feature: StoredFeature
  /** Key or id of the variation that the others are compared with. */
  readonly control: string
  readonly asker: Asker
}

function demandControl({ key, variations }: StoredFeature, control: string): void {
  if (variations.some((variation) => variation.key === control || variation._id === control)) return
  const keys = variations.map((variation) => variation.key).join(', ')
  const wanted = keys ? `one of ${keys}, or the id of one` : 'a variation, of which there is none yet'
  throw invalid(`control should be a variation of feature "${key}": ${wanted}; got ${show(control)}`)
}
