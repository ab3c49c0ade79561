import { deepStrictEqual, strictEqual } from 'node:assert'
import { splitTargets } from '../lib/splitTargets.mjs'

/** The number of flags of the project. */
let flags = 20
/** The client keys of the projects, by their server keys. */
const clientKeys = new Map()
const USERS = 500

/** The routes that are measured, each with the requests for it and the answer to one of them. */
export const routes = [
  { name: 'variable', prepare: evaluationOf('/v1/variables/flag-07', userOf, checkVariable) },
  { name: 'variables', prepare: evaluationOf('/v1/variables', userOf, checkVariables) },
  { name: 'features', prepare: evaluationOf('/v1/features', userOf, checkVariables) },
  { name: 'flag', prepare: evaluationOf('/ofrep/v1/evaluate/flags/flag-07', contextOf, checkFlag) },
  { name: 'bulk', prepare: evaluationOf('/ofrep/v1/evaluate/flags', contextOf, checkBulk) },
  { name: 'bulk304', prepare: prepareUnchanged },
  { name: 'sdkConfig', prepare: downloadOf(configPathOf) },
  { name: 'sdkConfig304', prepare: unchangedOf(configPathOf) },
  { name: 'config', prepare: downloadOf(documentPathOf) },
  { name: 'config304', prepare: unchangedOf(documentPathOf) }
]

/** Creates a project with flags of different kinds. Returns its server key. */
export async function fill(ask, count = flags) {
  flags = count
  await ask('POST', 'v1', '', { key: 'shop', name: 'Shop' })
  const features = Array.from({ length: count }, (_, index) => feature(index))
  while (features.length > 0) await ask('POST', 'v1', 'features/multiple', features.splice(0, 100))
  const { sdkKeys } = await ask('GET', 'v1', 'environments/production')
  clientKeys.set(sdkKeys.server[0].key, sdkKeys.client[0].key)
  return sdkKeys.server[0].key
}

function feature(index) {
  const key = `flag-${String(index).padStart(2, '0')}`
  const filters = [
    [{ type: 'user', subType: 'country', comparator: '=', values: ['CA', 'US', 'GB'] }],
    [
      { type: 'user', subType: 'user_id', comparator: '=', values: Array.from({ length: 50 }, (_, id) => `user-${id}`) }
    ],
    [{ type: 'user', subType: 'appVersion', comparator: '>=', values: ['2.1.0'] }],
    [{ type: 'user', subType: 'customData', dataKey: 'plan', dataKeyType: 'String', comparator: '=', values: ['pro'] }]
  ][index % 4]
  return {
    key,
    name: key,
    type: 'release',
    configurations: { production: { status: 'active', targets: splitTargets(filters) } }
  }
}

function userOf(index) {
  return {
    user_id: `user-${index}`,
    country: index % 3 ? 'FR' : 'CA',
    appVersion: '2.3.1',
    customData: { plan: 'pro' }
  }
}

/** Returns the body of an OFREP request of a user. */
export function contextOf(index) {
  const { user_id, customData, ...user } = userOf(index)
  return { context: { targetingKey: user_id, ...user, ...customData } }
}

/** Returns the path of the config of a user for a client SDK. */
function configPathOf(sdkKey, index) {
  const { customData, ...user } = userOf(index)
  const query = new URLSearchParams({
    sdkKey: clientKeys.get(sdkKey),
    ...user,
    isAnonymous: 'false',
    customData: JSON.stringify(customData),
    lastSeenDate: '1772366400000',
    createdDate: '1772366400000',
    platform: 'web',
    platformVersion: 'Mozilla/5.0 (X11; Linux x86_64)',
    deviceModel: 'Desktop',
    sdkType: 'client',
    sdkVersion: '1.35.0'
  })
  return `/v1/sdkConfig?${query}`
}

/** Returns the path of the config document, which is the same for all users. */
function documentPathOf(sdkKey) {
  return `/config/v1/server/${sdkKey}.json`
}

/** Returns the function that makes the requests of all users for a download, after it has checked one. */
function downloadOf(pathOf) {
  return async (url, sdkKey) => {
    const { status, body: answer } = await download(url, pathOf(sdkKey, 0))
    strictEqual(status, 200)
    strictEqual(Object.keys(answer.variables).length, flags)
    return { answer, requests: downloadsOf((index) => pathOf(sdkKey, index)) }
  }
}

/** Like `downloadOf`, for clients that have the current version. */
function unchangedOf(pathOf) {
  return async (url, sdkKey) => {
    const etags = []
    for (let index = 0; index < USERS; index++) etags.push((await download(url, pathOf(sdkKey, index))).etag)
    const { status } = await download(url, pathOf(sdkKey, 0), { 'if-none-match': etags[0] })
    strictEqual(status, 304)
    const headersOf = (index) => `if-none-match: ${etags[index]}\r\n`
    return { answer: undefined, requests: downloadsOf((index) => pathOf(sdkKey, index), headersOf) }
  }
}

function downloadsOf(pathOf, headersOf = () => '') {
  return Array.from({ length: USERS }, (_, index) => {
    const headers = 'host: localhost\r\naccept: */*\r\nuser-agent: bench\r\n'
    return `GET ${pathOf(index)} HTTP/1.1\r\n${headers}${headersOf(index)}\r\n`
  })
}

async function download(url, path, headers = {}) {
  const response = await fetch(`${url}${path}`, { headers })
  const text = await response.text()
  return { status: response.status, etag: response.headers.get('etag'), body: text && JSON.parse(text) }
}

/** Returns the function that makes the requests of all users for a path, after it has checked the answers to some. */
function evaluationOf(path, bodyOf, check) {
  return async (url, sdkKey) => {
    for (const index of [0, 1, 2, 60, USERS - 1]) {
      const answer = await call(url, sdkKey, path, bodyOf(index))
      strictEqual(answer.status, 200)
      // A project without OFREP has the same values there.
      const { body: variables } = await call(url, sdkKey, '/v1/variables', userOf(index))
      check(answer.body, variables)
    }
    const { body: answer } = await call(url, sdkKey, path, bodyOf(0))
    return { answer, requests: requestsTo(path, sdkKey, bodyOf) }
  }
}

/** Every user sends the ETag of its own answer. */
async function prepareUnchanged(url, sdkKey) {
  const path = '/ofrep/v1/evaluate/flags'
  const etags = []
  for (let index = 0; index < USERS; index++) etags.push((await call(url, sdkKey, path, contextOf(index))).etag)
  const { status } = await call(url, sdkKey, path, contextOf(0), { 'if-none-match': etags[0] })
  strictEqual(status, 304)
  return {
    answer: undefined,
    requests: requestsTo(path, sdkKey, contextOf, (index) => `if-none-match: ${etags[index]}\r\n`)
  }
}

function requestsTo(path, sdkKey, bodyOf, headersOf = () => '') {
  return Array.from({ length: USERS }, (_, index) => {
    const body = JSON.stringify(bodyOf(index))
    const headers = `host: localhost\r\nauthorization: Bearer ${sdkKey}\r\ncontent-type: application/json\r\naccept: */*\r\nuser-agent: bench\r\naccept-encoding: gzip, deflate\r\n`
    return `POST ${path} HTTP/1.1\r\n${headers}${headersOf(index)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  })
}

async function call(url, sdkKey, path, body, more = {}) {
  const headers = { authorization: `Bearer ${sdkKey}`, 'content-type': 'application/json', ...more }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, etag: response.headers.get('etag'), body: text && JSON.parse(text) }
}

function checkVariables(answer, variables) {
  strictEqual(Object.keys(variables).length, flags)
  deepStrictEqual(Object.keys(answer), Object.keys(variables))
}

function checkVariable(answer, variables) {
  deepStrictEqual(answer, variables[answer.key])
}

function checkFlag(flag, variables) {
  strictEqual(flag.value, variables[flag.key].value)
  strictEqual(flag.metadata._feature, variables[flag.key]._feature)
}

function checkBulk(bulk, variables) {
  strictEqual(bulk.flags.length, flags)
  for (const flag of bulk.flags) checkFlag(flag, variables)
}
