import { compile, type Evaluator, type User } from '@burgee/core'
import { type ApiResponse, call, serve, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { allUsers, NOW } from '@burgee/testing/plan'
import {
  allOf,
  buildProject,
  type CallSuccessfully,
  inProduction,
  partiallyServed,
  targetFor,
  toUser
} from '@burgee/testing/richProject'
import { runs } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildConfig } from '../../src/delivery/configs/buildConfig.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

const project = 'rich'

/** The number of users that the server and core evaluate, and of changes in a row. */
const USERS = runs({ quick: 150, full: 1000 })
const CHANGES = runs({ quick: 10, full: 200 })

let server: TestServer

/** Calls an operation on the project, which has to succeed. */
const succeed: CallSuccessfully = async (operation, { params, ...given } = {}) => {
  const answer = await call(server, operation, { ...given, params: { project, ...params } })
  expect(answer.status, `${operation}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

/** The first server key of production. */
async function productionKey(): Promise<string> {
  const { sdkKeys } = await succeed('getEnvironment', { params: { key: 'production' } })
  return sdkKeys.server[0].key
}

beforeAll(async () => {
  server = await serve(await temporaryDirectory())
  const settings = { optIn: { enabled: true } }
  await succeed('createProject', { body: { key: project, name: 'Rich', settings } })
})

describe('a project created with the API', () => {
  const users = Array.from({ length: USERS }, (_, index) => toUser(index))
  let answers: { variables: object; features: Record<string, { variationKey: string }> }[]
  let choices: Map<string, Record<string, boolean>>
  let evaluator: Evaluator

  beforeAll(async () => {
    await buildProject(succeed)
    const key = await productionKey()
    choices = await optIn(key)
    answers = []
    for (let start = 0; start < users.length; start += 50) {
      answers.push(...(await Promise.all(users.slice(start, start + 50).map((user) => evaluate(user, key)))))
    }
    await server.close()
    evaluator = await compileProduction()
    server = await serve(server.directory)
  }, 60_000)

  it('has the same values, variations and reasons on the server as in core', () => {
    for (const [index, user] of users.entries()) {
      const optIns = choices.get(user.user_id)
      const known: User = optIns ? { ...user, optIns } : user
      const ours = {
        variables: { ...evaluator.variables(known, { now: NOW }) },
        features: { ...evaluator.features(known, { now: NOW }) }
      }
      // JSON has no undefined members.
      expect({ user, ...answers[index] }).toEqual(JSON.parse(JSON.stringify({ user, ...ours })))
    }
  })

  it('serves every active feature and each of its variations to some users and not to others', () => {
    const variationsOf = (feature: string) => {
      return [...new Set(answers.map(({ features }) => features[feature]?.variationKey ?? 'none'))].sort()
    }
    expect(variationsOf('plain')).toEqual(['variation-on'])
    expect(variationsOf('finished')).toEqual(['variation-b'])
    expect(variationsOf('scheduled')).toEqual(['variation-on'])
    for (const feature of ['put-away', 'switched-off', 'not-yet']) expect(variationsOf(feature)).toEqual(['none'])
    expect(variationsOf('split')).toEqual(['variation-a', 'variation-b', 'variation-c'])
    for (const feature of partiallyServed) {
      expect(variationsOf(feature), feature).toEqual(expect.arrayContaining(['none', 'variation-on']))
    }
  })
})

/** Opts every tenth user in, and every fiftieth of these out again; returns the choices. */
async function optIn(key: string): Promise<Map<string, Record<string, boolean>>> {
  const { _id } = await succeed('getFeature', { params: { feature: 'opt-in' } })
  const chosen = new Map<string, Record<string, boolean>>()
  for (let index = 0; index < USERS; index += 10) {
    const choice = { [_id]: index % 50 !== 0 }
    await succeed('updateOptIns', { params: { user_id: `user-${index}` }, body: choice, key })
    chosen.set(`user-${index}`, choice)
  }
  return chosen
}

async function evaluate(user: User, key: string): Promise<{ variables: object; features: ApiResponse['body'] }> {
  const [variables, features] = await Promise.all([
    call(server, 'evaluateVariables', { body: user, key }),
    call(server, 'evaluateFeatures', { body: user, key })
  ])
  expect([variables.status, features.status]).toEqual([200, 200])
  return { variables: variables.body, features: features.body }
}

/** Compiles the config document of production from the files of the closed server. */
async function compileProduction(): Promise<Evaluator> {
  const store = await openStore(toStoreUrl(server.directory))
  try {
    const stored = await store.collection('projects').get({ key: project })
    const _project = stored?._id ?? ''
    const environment = await store.collection('environments').get({ _project, key: 'production' })
    const query = { where: { _project }, sortBy: 'createdAt', sortOrder: 'asc' } as const
    const config = buildConfig(
      {
        project: stored!,
        environment: environment!,
        features: (await store.collection('features').list(query)).items,
        configurations: (await store.collection('configurations').list({ where: { _environment: environment!._id } }))
          .items,
        variables: (await store.collection('variables').list(query)).items,
        audiences: (await store.collection('audiences').list(query)).items
      },
      'server'
    )
    const problems: unknown[] = []
    const evaluator = compile(JSON.parse(JSON.stringify(config)), { onProblem: (problem) => problems.push(problem) })
    expect(problems).toEqual([])
    return evaluator
  } finally {
    await store.close()
  }
}

describe('a change', () => {
  let key: string

  beforeAll(async () => {
    await succeed('createFeature', {
      body: {
        key: 'counter',
        name: 'Counter',
        variables: [{ key: 'count', type: 'Number' }],
        variations: [{ key: 'variation-on', name: 'On', variables: { count: 0 } }],
        ...inProduction(targetFor(allOf(allUsers)))
      }
    })
    key = await productionKey()
  })

  function write(count: number): Promise<unknown> {
    const params = { feature: 'counter', key: 'variation-on' }
    return succeed('updateVariation', { params, body: { variables: { count } } })
  }

  async function read(): Promise<number> {
    const { status, body } = await call(server, 'evaluateVariable', {
      params: { key: 'count' },
      body: { user_id: 'ada' },
      key
    })
    expect(status).toBe(200)
    return body.value
  }

  it(`is visible to the next request, ${CHANGES} times in a row`, async () => {
    for (let count = 1; count <= CHANGES; count += 1) {
      await write(count)
      expect(await read()).toBe(count)
    }
  }, 60_000)

  it('fails no running evaluation: each uses a valid config', async () => {
    let [asked, answered] = [1000, 1000]
    await write(answered)
    let isWriting = true
    let evaluations = 0
    const evaluating = Array.from({ length: 2 }, async () => {
      let latest = 0
      while (isWriting) {
        const earliest = answered
        const value = await read()
        expect(value).toBeGreaterThanOrEqual(Math.max(earliest, latest))
        expect(value).toBeLessThanOrEqual(asked)
        latest = value
        evaluations += 1
      }
    })
    const writing = (async () => {
      for (let count = 0; count < CHANGES; count += 1) {
        asked += 1
        await write(asked)
        answered = asked
      }
    })().finally(() => {
      isWriting = false
    })
    await Promise.all([writing, ...evaluating])
    expect(evaluations).toBeGreaterThan(CHANGES)
  }, 60_000)
})
