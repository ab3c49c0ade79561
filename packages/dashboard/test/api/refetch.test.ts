import { createTableClient } from '@burgee/contract/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import {
  adoptResponse,
  createQueryCache,
  keepEqual,
  refetchAfterChange,
  refetchAfterWrite
} from '../../src/api/refetch.ts'

const queryKey = ['getFeature', { params: { project: 'demo', feature: 'gift' } }]

let stop = () => {}

afterEach(() => stop())

/** A page that reads a feature. Each request waits until the test answers it. */
function openPage({ isShown = true } = {}) {
  const requests: { answer: (name: string) => void }[] = []
  const client = new QueryClient({
    queryCache: createQueryCache(),
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, structuralSharing: keepEqual } }
  })
  const queryFn = () =>
    new Promise((resolve) => {
      requests.push({ answer: (name) => resolve({ _id: '1', name }) })
    })
  const observer = new QueryObserver<unknown>(client, { queryKey, queryFn })
  const shown: unknown[] = []
  const show = () =>
    observer.subscribe(({ data }) => {
      const { name } = (data ?? {}) as { readonly name?: string }
      if (name !== undefined && shown.at(-1) !== name) shown.push(name)
    })
  let hide = show()
  stop = () => {
    hide()
    client.clear()
  }
  if (!isShown) hide()
  const reopen = () => {
    hide = show()
  }
  /** The request that is sent as the nth. */
  const request = (nth: number) =>
    expect
      .poll(() => requests[nth - 1])
      .toBeDefined()
      .then(() => requests[nth - 1])
  const disable = () => observer.setOptions({ queryKey, queryFn, enabled: false })
  return { client, requests, shown, request, reopen, disable }
}

test('the first read of a page that a write overtook is not shown', async () => {
  const { client, shown, request, requests } = openPage()
  const first = await request(1)
  void refetchAfterWrite(client)
  first?.answer('before')
  ;(await request(2))?.answer('after')
  await expect.poll(() => shown).toEqual(['after'])
  expect(requests).toHaveLength(2)
})

test('a read that a write overtook is not shown after the page was left and opened again', async () => {
  const { client, shown, request, reopen } = openPage({ isShown: false })
  const first = await request(1)
  void refetchAfterWrite(client)
  first?.answer('before')
  ;(await request(2))?.answer('after')
  reopen()
  await expect.poll(() => shown).toEqual(['after'])
})

test('a read that the page no longer asks for is not sent again after a write', async () => {
  const { client, requests, request, disable } = openPage()
  const first = await request(1)
  disable()
  await refetchAfterWrite(client)
  first?.answer('before')
  await expect.poll(() => client.getQueryState(queryKey)?.fetchStatus).toBe('idle')
  expect(requests).toHaveLength(1)
})

test('a read that changes of others overtook is shown, and repeated once', async () => {
  const { client, shown, request, requests } = openPage()
  const first = await request(1)
  for (let change = 0; change < 3; change++) refetchAfterChange(client)
  first?.answer('before')
  ;(await request(2))?.answer('after')
  await expect.poll(() => shown).toEqual(['before', 'after'])
  expect(requests).toHaveLength(2)
})

test('a read of a page that was left is repeated when the page is opened again, if a change overtook it', async () => {
  const { client, shown, request, reopen } = openPage({ isShown: false })
  const first = await request(1)
  refetchAfterChange(client)
  first?.answer('before')
  await expect.poll(() => client.getQueryState(queryKey)?.fetchStatus).toBe('idle')
  reopen()
  ;(await request(2))?.answer('after')
  await expect.poll(() => shown).toEqual(['before', 'after'])
})

test('a loader gets the state after the write', async () => {
  const client = new QueryClient({ queryCache: createQueryCache() })
  const answers: ((name: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const loaded = client.ensureQueryData({ queryKey, queryFn })
  void refetchAfterWrite(client)
  for (const [index, answer] of answers.entries()) answer(['before', 'after'][index] ?? '')
  expect(await loaded).toBe('after')
  client.clear()
})

test('the response of a write replaces what was read of the same resource by another name', () => {
  const client = new QueryClient()
  const other = ['getFeature', { params: { project: 'demo', feature: 'wrap' } }]
  client.setQueryData(queryKey, { _id: '1', name: 'before' })
  client.setQueryData(other, { _id: '2', name: 'other' })
  const request = { params: { project: 'demo', feature: '1' } }
  adoptResponse(client, { reads: ['getFeature'], request, response: { _id: '1', name: 'after' } })
  expect(client.getQueryData(queryKey)).toEqual({ _id: '1', name: 'after' })
  expect(client.getQueryData(other)).toEqual({ _id: '2', name: 'other' })
  client.clear()
})

test('the response of a write replaces a resource without an id that has the same parameters', () => {
  const client = new QueryClient()
  const settings = (project: string) => ['getStaticConfiguration', { params: { project } }]
  for (const project of ['demo', 'shop']) client.setQueryData(settings(project), { name: 'before' })
  const request = { params: { project: 'demo' }, body: {} }
  adoptResponse(client, { reads: ['getStaticConfiguration'], request, response: { name: 'after' } })
  expect(client.getQueryData(settings('demo'))).toEqual({ name: 'after' })
  expect(client.getQueryData(settings('shop'))).toEqual({ name: 'before' })
  client.clear()
})

test('an equal response keeps the one before, unless its revision is another', async () => {
  const read = (etag: string) => {
    const row = { id: 'getFeature', method: 'GET', path: '/', status: 200, hasRevision: true } as const
    const burgee = createTableClient({
      table: [{ ...row, credential: { type: 'token' } }],
      baseUrl: 'http://127.0.0.1',
      credentials: { headers: {} },
      fetch: async () => new Response('{"name":"same"}', { headers: { etag } })
    })
    return burgee.getFeature({ params: { project: 'demo', feature: 'gift' } })
  }
  const before = await read('"1"')
  expect(keepEqual(before, await read('"1"'))).toBe(before)
  const next = await read('"2"')
  expect(keepEqual(before, next)).toBe(next)
})
