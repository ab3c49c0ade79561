import { test } from 'node:test'
import { picture } from '../page.mjs'
import { dashboard, openWindow, skip } from './support.mjs'
import { useInput } from './userInput.mjs'

/** Tests a job by pointer, and again by keyboard alone. Each way has a feature of its own. */
export function journey(job, work) {
  for (const way of ['pointer', 'keyboard']) {
    test(`${job}, by ${way}`, { skip }, async (t) => {
      const { context, page } = await openWindow(t, { permissions: ['clipboard-read', 'clipboard-write'] })
      const name = `${job.split(' ').slice(-2).join(' ')} ${way}`
      const subject = await addFeature({ key: name.replaceAll(/[^a-z]+/g, '-'), name })
      try {
        await work({ t, context, page, way, subject, input: useInput(page, way) })
      } catch (error) {
        await picture(page, `dashboard-failed-${subject.key}`)
        throw error
      }
    })
  }
}

/** Adds a Boolean feature that is on for everybody in production. */
export async function addFeature({ key, name }) {
  const filters = [{ type: 'all' }]
  const everybody = {
    audience: { filters: { operator: 'and', filters } },
    distribution: [{ _variation: 'on', percentage: 1 }]
  }
  return dashboard.server.post('/v2/projects/demo/features', {
    key,
    name,
    type: 'release',
    variables: [{ key, type: 'Boolean' }],
    variations: [
      { key: 'off', name: 'Off', variables: { [key]: false } },
      { key: 'on', name: 'On', variables: { [key]: true } }
    ],
    configurations: { production: { status: 'active', targets: [everybody] } }
  })
}
