import { call, type TestServer } from './harness.ts'

interface WrappedRequest {
  readonly method?: 'PATCH' | 'DELETE'
  /** Below `/v1/projects/shop`. */
  readonly path: string
  readonly body?: object
}

/**
 * Makes a change of project `shop` that needs approval, as the administrator, in an emergency. Throws when a step is
 * refused.
 */
export async function changeInEmergency(server: TestServer, { path, ...request }: WrappedRequest): Promise<void> {
  const params = { project: 'shop' }
  const wrapped = { method: 'PATCH', path: `/v1/projects/shop${path}`, ...request }
  const created = await call(server, 'createProjectChangeRequest', { params, body: wrapped })
  if (created.status !== 201) throw new Error(`${created.status} ${created.body.message}`)
  const emergency = { reason: 'a test needs other settings' }
  const body = { description: '', action: 'applied', emergency }
  const id = created.body._id
  const applied = await call(server, 'applyProjectChangeRequest', { params: { ...params, id }, body })
  if (applied.status !== 200) throw new Error(`${applied.status} ${applied.body.message}`)
}

/** Changes the settings of project `shop`, whether approvals are on or off. */
export async function changeSettings(server: TestServer, settings: object): Promise<void> {
  const body = { settings: { disablePassthroughRollouts: false, ...settings } }
  const { status, body: answer } = await call(server, 'updateProjectSettings', { params: { key: 'shop' }, body })
  if (status === 403 && answer.errorType === 'ERR_APPROVAL_REQUIRED') {
    await changeInEmergency(server, { path: '/settings', body })
  } else if (status !== 200) throw new Error(`${status} ${answer.message}`)
}
