import { once } from 'node:events'
import { createServer } from 'node:http'
import { toDocument } from '../evaluations/document.mjs'
import { onQuestion } from '../http/child.mjs'

// A server of one config, which changes on request and is announced on a stream. The parent process asks it.

let flags
/** The number of flags that were made. */
let made = 0
let indent = 0
let version = 0
let body
const streams = new Set()

const server = createServer(({ url, headers }, response) => {
  if (url.startsWith('/event-stream')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
    return
  }
  const validators = { etag: etag(), 'last-modified': new Date(lastModified()).toUTCString() }
  if (headers['if-none-match'] === etag()) response.writeHead(304, validators).end()
  else response.writeHead(200, { ...validators, 'content-type': 'application/json' }).end(body)
})

const changes = {
  value: () => {
    const flag = flags[middle()]
    flags[middle()] = { ...flag, rules: flag.rules.map((rule) => ({ ...rule, serve: serve(`changed-${version}`) })) }
  },
  added: () => flags.splice(middle(), 0, makeFlag()),
  removed: () => flags.splice(middle(), 1),
  're-indented': () => {
    indent = 1 - indent
  }
}

onQuestion(async ({ flags: count, kind, isParsed }) => {
  if (isParsed) return measureParse()
  if (kind) {
    changes[kind]()
    publish()
    return {}
  }
  flags = Array.from({ length: count }, makeFlag)
  publish()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port, bytes: body.length }
})

function publish() {
  version++
  body = Buffer.from(JSON.stringify(toDocument(flags), undefined, indent))
  const data = JSON.stringify({ type: 'refetchConfig', etag: etag(), lastModified: lastModified() })
  for (const stream of streams) stream.write(`data: ${JSON.stringify({ data })}\n\n`)
}

/** Measures `JSON.parse` of the config's text. */
function measureParse() {
  const text = body.toString()
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  JSON.parse(text)
  const parse = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { parse, parseCpu: (user + system) / 1_000 }
}

function etag() {
  return `"${version}"`
}

/** A version each second, because `Last-Modified` has no milliseconds. */
function lastModified() {
  return Date.UTC(2026, 0) + version * 1_000
}

function middle() {
  return Math.floor(flags.length / 2)
}

/** Returns a flag of three rules. */
function makeFlag() {
  const key = `flag-${made++}`
  const rules = [
    {
      when: [{ member: 'email', is: 'in', values: [`${key}@example.com`, `test-${key}@example.com`] }],
      serve: serve('on')
    },
    {
      when: [
        { member: 'country', is: 'in', values: ['DE', 'FR', 'NL'] },
        { custom: 'plan', is: 'in', values: ['pro'] }
      ],
      serve: serve('on')
    },
    { when: [], admits: 10 + (made % 90), serve: serve('off') }
  ]
  return { key, rules }
}

function serve(value) {
  return [
    { value, share: 50 },
    { value: `other-${value}`, share: 50 }
  ]
}
