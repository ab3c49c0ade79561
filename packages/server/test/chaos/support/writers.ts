import { setTimeout as sleep } from 'node:timers/promises'
import { tokenFor } from '@burgee/testing/apiClients'
import { authorize, type Browser, exchangeCode, openBrowser } from '@burgee/testing/browser'
import { call, type TestServer, tokenOf } from '@burgee/testing/harness'
import { EMAIL, PASSWORD, WRITERS } from './chaosStore.ts'

/** What servers acknowledged, by kind. Each entry must be found again. */
export interface Acknowledged {
  /** Keys of created variables. */
  readonly variables: Set<string>
  /** Feature → the number in its name. */
  readonly names: Map<string, number>
  /** Names that are announced to the webhook. */
  readonly announced: Set<string>
  /** Change request → how far it is: an index of `stages`. */
  readonly changeRequests: Map<string, { readonly feature: string; readonly stage: number }>
  /** Users whose plan is stored. */
  readonly users: Set<string>
  /** Batches of events → evaluations. */
  readonly events: Map<string, number>
  /** Access tokens of sign-ins. */
  readonly tokens: Set<string>
}

/** The writers of all kinds, what was acknowledged to them, and what was sent without a response. */
export interface Writers {
  readonly acknowledged: Acknowledged
  /** Batches of events without a response. A writer sends them again. */
  readonly unanswered: Map<string, number>
  readonly browser: Browser
  /** Writes at these servers until `stop`. Each writer waits for `pauseMs` after each write, by default not at all. */
  readonly write: (servers: readonly TestServer[], pauseMs?: number) => { readonly stop: () => Promise<void> }
  /** The sum of all evaluations that were sent. */
  readonly sentEvaluations: () => number
  /** How often the browser had to sign in again, because its session was lost. */
  readonly signInsAgain: () => number
  /** The number of acknowledged writes. */
  readonly count: () => number
}

/** Sign-ins from one network are limited to 60 in a minute. */
const SIGN_IN_PAUSE_MS = 1_100

/** How long a writer waits after a write without a result. */
const LOSS_PAUSE_MS = 50

/** The stages of a change request in their order. */
export const stages = ['draft', 'pending', 'approved', 'applied'] as const

const project = 'shop'

/**
 * Creates the writers of a store; `server` serves it under `publicUrl`. Their keys and names have numbers after `from`.
 */
export async function createWriters(
  server: TestServer,
  { publicUrl = server.url, from = 0 }: { readonly publicUrl?: string; readonly from?: number } = {}
): Promise<Writers> {
  const acknowledged: Acknowledged = {
    variables: new Set(),
    names: new Map(),
    announced: new Set(),
    changeRequests: new Map(),
    users: new Set(),
    events: new Map(),
    tokens: new Set()
  }
  const unanswered = new Map<string, number>()
  const browser = openBrowser({ ...server, url: publicUrl })
  const page = await authorize(browser)
  await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD })
  const [author, reviewer] = [await tokenFor(server, 'author'), await tokenFor(server, 'reviewer')]
  let number = from
  let sent = 0
  let writes = 0
  let signInsAgain = 0

  const createVariable = async (at: TestServer) => {
    const key = `variable-${++number}`
    const body = { key, name: key, type: 'Boolean' }
    assertStatus(await call(at, 'createVariable', { params: { project }, body }), 201)
    acknowledged.variables.add(key)
  }

  const rename = async (at: TestServer, writer: number) => {
    const feature = `direct-${writer}`
    const mine = ++number
    const body = { name: nameOf(mine) }
    assertStatus(await call(at, 'updateFeature', { params: { project, feature }, body }), 200)
    acknowledged.names.set(feature, mine)
    acknowledged.announced.add(nameOf(mine))
  }

  const requestChange = async (at: TestServer, writer: number) => {
    const feature = `reviewed-${writer}`
    const params = { project, feature }
    const path = `/v2/projects/${project}/features/${feature}`
    const body = { path, method: 'PATCH', body: { name: nameOf(++number) } }
    const created = await call(at, 'createChangeRequest', { params, body, key: author })
    // The response to an earlier change request was lost.
    if (created.status === 409) return finishLatest(at, params)
    assertStatus(created, 201)
    const id: string = created.body._id
    const reach = (stage: number) => acknowledged.changeRequests.set(id, { feature, stage })
    reach(0)
    const submitted = { description: 'Chaos.', reviewers: ['ada'] }
    const submission = await call(at, 'submitChangeRequest', {
      params: { ...params, id },
      body: submitted,
      key: author
    })
    assertStatus(submission, 200)
    reach(1)
    await finish(at, { ...params, id }, reach)
  }

  const finish = async (
    at: TestServer,
    params: Readonly<Record<string, string>>,
    reach: (stage: number) => unknown
  ) => {
    const review = { action: 'approved', comment: 'Looked at it.' }
    assertStatus(await call(at, 'reviewChangeRequest', { params, body: review, key: reviewer }), 200)
    reach(2)
    const apply = { description: '', action: 'applied' }
    assertStatus(await call(at, 'applyChangeRequest', { params, body: apply, key: reviewer }), 200)
    reach(3)
  }

  const finishLatest = async (at: TestServer, params: Readonly<Record<string, string>>) => {
    const latest = await call(at, 'getLatestChangeRequest', { params, key: reviewer })
    assertStatus(latest, 200)
    const { _id: id, status } = latest.body
    const feature = params.feature ?? ''
    const reach = (stage: number) => acknowledged.changeRequests.set(id, { feature, stage })
    if (status === 'pending') return finish(at, { ...params, id }, reach)
    const apply = { description: '', action: 'applied' }
    assertStatus(await call(at, 'applyChangeRequest', { params: { ...params, id }, body: apply, key: reviewer }), 200)
    reach(3)
  }

  const storeUser = async (at: TestServer) => {
    const user_id = `user-${++number}`
    const body = { user_id, customData: { plan: 'pro' } }
    assertStatus(await call(at, 'updateEdgeUser', { params: { user_id }, body }), 200)
    acknowledged.users.add(user_id)
  }

  const sendEvents = async (at: TestServer) => {
    const [again] = unanswered.keys()
    const name = again ?? `batch-${++number}`
    const value = unanswered.get(name) ?? 1 + (number % 7)
    // Another writer of events must not send it at the same time.
    if (again === undefined) sent += value
    else unanswered.delete(name)
    try {
      const batch = [{ user: { user_id: name }, events: [{ type: 'aggVariableEvaluated', target: 'counted', value }] }]
      const headers = { 'idempotency-key': name }
      assertStatus(await call(at, 'sendEventBatches', { body: { batch }, headers }), 201)
      acknowledged.events.set(name, value)
    } catch (error) {
      unanswered.set(name, value)
      throw error
    }
  }

  const signIn = async (at: TestServer) => {
    const page = await authorize(browser)
    assertStatus(page, 200)
    // A session whose change was interrupted by an outage can be lost; the person signs in again.
    const isSignedOut = String(page.body).includes('/login"')
    if (isSignedOut) signInsAgain += 1
    const asked = isSignedOut ? await browser.submit(page, 'login', { email: EMAIL, password: PASSWORD }) : page
    assertStatus(asked, 200)
    const redirect = await browser.submit(asked, 'consent')
    assertStatus(redirect, 303)
    const { status, body } = await exchangeCode(at, redirect)
    assertStatus({ status, body }, 200)
    acknowledged.tokens.add(body.access_token)
  }

  const kinds = [createVariable, rename, requestChange, storeUser, sendEvents] as const
  return {
    acknowledged,
    unanswered,
    browser,
    sentEvaluations: () => sent,
    count: () => writes,
    signInsAgain: () => signInsAgain,
    write: (servers, pauseMs = 0) => {
      let isStopped = false
      // Before the first outage: operations request a token of each server when they need one.
      const ready = Promise.allSettled(servers.map(tokenOf))
      const loop = async (index: number, work: (at: TestServer) => Promise<unknown>) => {
        await ready
        for (let turn = index; !isStopped; turn++) {
          // `servers` has at least one member.
          const at = servers[turn % servers.length] as TestServer
          try {
            await work(at)
            writes += 1
            if (pauseMs > 0) await sleep(pauseMs)
          } catch (error) {
            if (!isLoss(error)) throw error
            await sleep(LOSS_PAUSE_MS)
          }
        }
      }
      const [first] = servers as readonly [TestServer]
      const running = [
        ...kinds.flatMap((kind) =>
          Array.from({ length: WRITERS }, (_, writer) => loop(writer, (at) => kind(at, writer)))
        ),
        // The browser signs in at one server, with which it began.
        loop(0, () => signIn(first).finally(() => sleep(SIGN_IN_PAUSE_MS)))
      ]
      const all = Promise.all(running)
      // Reported by `stop`.
      all.catch(() => {})
      return {
        stop: async () => {
          isStopped = true
          await all
        }
      }
    }
  }
}

/** The name of a feature with a number. */
export function nameOf(number: number): string {
  return `Name ${number}.`
}

/** An acknowledged refusal: the server responded with 503, so it stored nothing or says that it may have. */
class Refusal extends Error {
  override readonly name = 'Refusal'
}

function assertStatus({ status, body }: { readonly status: number; readonly body: unknown }, expected: number): void {
  if (status === expected) return
  if (status === 503) throw new Refusal(JSON.stringify(body))
  throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body).slice(0, 2_000)}`)
}

/** Whether a write has no result because its server was killed, or refused it. */
function isLoss(error: unknown): boolean {
  return error instanceof Refusal || isGone(error) || isTimeout(error)
}

/** Whether a server that was suspended responded with 408, which operations do not list. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes("'408'")
}

/** Whether a connection was refused or lost. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ECONN|EPIPE|ERR_STREAM)/.test(String(error.code))
}
