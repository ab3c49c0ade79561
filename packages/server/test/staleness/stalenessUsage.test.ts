import { DAY, idOf, makeProject, NOW } from '@burgee/testing/plan'
import { expect, it } from 'vitest'
import { createUsageCache } from '../../src/insights/staleness/inspectProject.ts'
import type { EventStore } from '../../src/storage/events/eventStore.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'
import type { StoredProject } from '../../src/storage/resources/project.ts'

const HOUR = 3_600_000
const environments = [idOf('production'), idOf('staging')]

/** A real event store that counts its reads. */
async function asked() {
  const store = await openEventStore(undefined, { now: () => NOW - 20 * DAY, retention: 90, onNotice: () => {} })
  let times = 0
  const lastEvaluated: EventStore['lastEvaluated'] = (query) => {
    times += 1
    return store.lastEvaluated(query)
  }
  const usageOf = createUsageCache({ since: store.since, lastEvaluated, revision: store.revision }, () => {})
  const evaluate = (at: number, environment = environments[0] ?? '', feature = idOf('f')) => {
    const counts = [{ variable: 'f', feature, platform: 'NodeJS', sdkType: 'server', count: 1 } as const]
    return store.append({ environment, at, reports: [], counts, exposures: [] })
  }
  return { usageOf, evaluate, times: () => times, since: store.since }
}

/** A project that detects unused features. */
function projectWith(unused: object = {}): StoredProject {
  const project = makeProject({})
  const staleness = { ...project.settings.staleness, enabled: true, unused: { enabled: true, ...unused } }
  return { ...project, settings: { ...project.settings, staleness } }
}

it('the usage is unknown when the event store cannot be read, and the error is reported', async () => {
  const failure = new Error('the disk is gone')
  const troubles: unknown[] = []
  const eventStore = { since: NOW, lastEvaluated: () => Promise.reject(failure), revision: () => 0 }
  const usageOf = createUsageCache(eventStore, (error) => troubles.push(error))
  const nothing = { since: Number.POSITIVE_INFINITY, lastEvaluated: new Map() }
  expect(await usageOf(projectWith(), environments, NOW)).toEqual(nothing)
  expect(troubles).toEqual([failure])
})

it('the usage is read again after an event was added, or in the next hour', async () => {
  const { usageOf, evaluate, times, since } = await asked()
  const project = projectWith()
  await evaluate(NOW)
  const first = await usageOf(project, environments, NOW)
  expect(first).toEqual({ since, lastEvaluated: new Map([[idOf('f'), NOW - (NOW % HOUR)]]) })
  for (let round = 0; round < 1000; round++) expect(await usageOf(project, environments, NOW + round)).toBe(first)
  expect(times()).toBe(1)
  await evaluate(NOW, environments[1], idOf('g'))
  expect((await usageOf(project, environments, NOW)).lastEvaluated.has(idOf('g'))).toBe(true)
  await usageOf(project, environments, NOW + HOUR)
  await usageOf(project, environments.slice(1), NOW + HOUR)
  expect(times()).toBe(4)
})

it('the usage is read back to the longest threshold, from the start of the hour', async () => {
  const { usageOf, evaluate } = await asked()
  const lastHour = NOW - 20 * DAY - HOUR
  await evaluate(lastHour)
  const far = await usageOf(projectWith({ types: { ops: 20 } }), environments, NOW)
  expect(far.lastEvaluated.get(idOf('f'))).toBe(lastHour - (lastHour % HOUR))
  expect((await usageOf(projectWith(), environments, NOW)).lastEvaluated.size).toBe(0)
})

it('the usage is not read when unused features are not detected', async () => {
  const { usageOf, times } = await asked()
  await usageOf(projectWith({ enabled: false }), environments, NOW)
  expect(times()).toBe(0)
})
