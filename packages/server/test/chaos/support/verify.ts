import { authorize } from '@burgee/testing/browser'
import { call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'
import { stages, type Writers } from './writers.ts'

const project = 'shop'

/** Expects that a server has what was acknowledged since the last call, and forgets what cannot change any more. */
export async function verifyRecent(server: TestServer, { acknowledged, browser }: Writers): Promise<void> {
  for (const key of acknowledged.variables) {
    expect((await call(server, 'getVariable', { params: { project, key } })).status, `variable ${key}`).toBe(200)
  }
  for (const [feature, number] of acknowledged.names) {
    const { body } = await call(server, 'getFeature', { params: { project, feature } })
    expect(Number(/\d+/.exec(body.name)?.[0]), `the name of ${feature}`).toBeGreaterThanOrEqual(number)
  }
  for (const [id, { feature, stage }] of acknowledged.changeRequests) {
    // The author sees drafts.
    const { body } = await call(server, 'getChangeRequest', { params: { project, feature, id } })
    expect(stages.indexOf(body.status), `change request ${id}: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(stage)
  }
  for (const user_id of acknowledged.users) {
    const input = { params: { key: 'by-plan' }, query: { enableEdgeDB: 'true' }, body: { user_id } }
    expect((await call(server, 'evaluateVariable', input)).body.value, user_id).toBe(true)
  }
  for (const key of acknowledged.tokens) {
    expect((await call(server, 'getSession', { key })).status, 'an access token').toBe(200)
  }
  for (const set of [acknowledged.variables, acknowledged.changeRequests, acknowledged.users, acknowledged.tokens]) {
    set.clear()
  }
  const page = await authorize(browser)
  expect(String(page.body), 'the browser is still signed in').toContain('/consent"')
}

/** Expects that the evaluations of all batches of all writers are counted once, and that the audit log is intact. */
export async function verifyTotals(server: TestServer, ...all: readonly Writers[]): Promise<void> {
  for (const { unanswered } of all) {
    for (const [name, value] of unanswered) {
      const batch = [{ user: { user_id: name }, events: [{ type: 'aggVariableEvaluated', target: 'counted', value }] }]
      const again = await call(server, 'sendEventBatches', { body: { batch }, headers: { 'idempotency-key': name } })
      expect(again.status).toBe(201)
    }
    unanswered.clear()
  }
  const sent = all.reduce((sum, { sentEvaluations }) => sum + sentEvaluations(), 0)
  expect(await countEvaluations(server)).toBe(sent)
  expect((await call(server, 'verifyAudit')).body).toMatchObject({ isIntact: true })
}

async function countEvaluations(server: TestServer): Promise<number> {
  const { body } = await call(server, 'getFeatureTotalEvaluations', { params: { project, feature: 'counted' } })
  const values = body.result.evaluations.flatMap(({ values }: { values: Record<string, number> }) =>
    Object.values(values)
  )
  return values.reduce((sum: number, value: number) => sum + value, 0)
}
