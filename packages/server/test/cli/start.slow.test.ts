import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describeSettings } from '@burgee/kit/settings'
import { freePort } from '@burgee/testing/system/freePort'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { settings } from '../../src/cli/settings.ts'
import { createSecretHasher, HASH_COST } from '../../src/identity/secrets/secretHash.ts'
import { Disposer } from '../../src/lib/disposer.ts'
import { OptionError } from '../../src/lib/errors.ts'
import { randomIdGenerator } from '../../src/lib/idGenerator.ts'
import { startServer } from '../../src/server.ts'
import { StoreOpenError } from '../../src/storage/store.ts'

function optionsFor(directory: string, ...flags: string[]) {
  return parseOptions(['--store', `file:${directory}`, '--port', '0', '--log-level', 'silent', ...flags], {})
}

test('a start that finds its port taken leaves nothing open behind', async () => {
  const directory = await temporaryDirectory()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const timers = trackTimers()
  await expect(startServer({ ...optionsFor(directory), port })).rejects.toThrow(OptionError)
  expect(timers.created()).toBeGreaterThan(0)
  expect(timers.running()).toEqual([])
  expect(await readdir(directory)).not.toContain('db.json.lock')
  const server = await startServer(optionsFor(directory))
  await server.close()
  other.close()
})

/** Counts the timers of this process until the test ends, and lists those that run: neither cleared nor fired. */
function trackTimers() {
  const running = new Map<unknown, string>()
  let created = 0
  const track = (timer: NodeJS.Timeout): NodeJS.Timeout => {
    created++
    const { stack = '' } = new Error()
    // Clients of other test files in this process may have timers of their own.
    if (stack.includes('/packages/server/src/')) running.set(timer, stack)
    return timer
  }
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  vi.stubGlobal('setInterval', (...args: Parameters<typeof setInterval>) => track(setInterval(...args)))
  vi.stubGlobal('setTimeout', (callback: () => void, ms?: number) => {
    const timer = setTimeout(() => {
      running.delete(timer)
      callback()
    }, ms)
    return track(timer)
  })
  const stubClear = (name: string, clear: (timer?: NodeJS.Timeout) => void) => {
    vi.stubGlobal(name, (timer?: NodeJS.Timeout) => {
      running.delete(timer)
      clear(timer)
    })
  }
  stubClear('clearTimeout', clearTimeout)
  stubClear('clearInterval', clearInterval)
  onTestFinished(() => void vi.unstubAllGlobals())
  return { created: () => created, running: () => [...running.values()] }
}

test('requests wait while the administrator is being created', async () => {
  const { hash } = createSecretHasher(HASH_COST, randomIdGenerator)
  const port = await freePort()
  const order: string[] = []
  const asked: Promise<unknown>[] = []
  const ask = async (path: string) => {
    await fetch(`http://127.0.0.1:${port}${path}`)
    order.push(path)
  }
  const server = await startServer(
    { ...optionsFor(await temporaryDirectory()), port },
    {
      ids: {
        ...randomIdGenerator,
        secret: () => {
          // The server listens. Secrets are hashed one at a time, so these delay the one of the administrator.
          for (let before = 0; before < 10; before++) asked.push(hash('another'))
          for (const path of ['/readyz', '/livez', '/v1/projects']) asked.push(ask(path))
          order.push('made up')
          return randomIdGenerator.secret()
        },
        id: () => {
          order.push('kept')
          return randomIdGenerator.id()
        }
      }
    }
  )
  await Promise.all(asked)
  await server.close()
  const last = order.slice(order.indexOf('made up'))
  expect(last.slice(0, 2)).toEqual(['made up', 'kept'])
  // The access log also creates an id, for the refused request.
  expect(
    last
      .slice(2)
      .filter((name) => name !== 'kept')
      .sort()
  ).toEqual(['/livez', '/readyz', '/v1/projects'])
})

test('a configured secret is stored with the cost that OWASP recommends', async () => {
  const directory = await temporaryDirectory()
  const server = await startServer({
    ...optionsFor(directory),
    adminClientId: 'ops',
    adminClientSecret: 'a secret of ours'
  })
  await server.close()
  expect(await readFile(join(directory, 'db.json'), 'utf8')).toMatch(/scrypt\$14\$8\$5\$[\w-]{22}\$[\w-]{43}"/)
})

test('a start that cannot open the event store fails with an error about the store', async () => {
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'events'), '')
  const start = startServer(optionsFor(directory))
  await expect(start).rejects.toThrow(StoreOpenError)
  await expect(start).rejects.toThrow(/events/)
})

test('no request of a caller that keeps its connection fails while the server stops', async () => {
  const server = await startServer(optionsFor(await temporaryDirectory()))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let isRefused = false
  const answers: (string | undefined)[] = []
  const worker = async () => {
    while (!isRefused) {
      try {
        answers.push(await get(`${server.url}/livez`, agent))
      } catch (error) {
        // Only a connection without any response may fail: then the server has stopped.
        expect(error).toMatchObject({ isReused: false })
        isRefused = true
      }
    }
  }
  const workers = Array.from({ length: 8 }, worker)
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(8)
  await Promise.all([server.close({ lingerMs: 300 }), ...workers])
  expect(answers.slice(0, 8)).not.toContain('close')
  expect(answers.slice(-8)).toEqual(Array.from({ length: 8 }, () => 'close'))
})

/** The answer's `connection` header. */
function get(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.headers.connection))
    })
    outgoing.once('error', (error) => reject(Object.assign(error, { isReused: outgoing.reusedSocket })))
    outgoing.end()
  })
}

test('a connection without a request does not delay the stop', async () => {
  const server = await startServer(optionsFor(await temporaryDirectory()))
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  const ended = new Promise((resolve) => silent.once('close', resolve))
  await new Promise((resolve) => silent.once('connect', resolve))
  const begun = performance.now()
  await server.close()
  await ended
  // Requests have eight seconds to finish.
  expect(performance.now() - begun).toBeLessThan(7_900)
})

test('a server can be closed twice', async () => {
  const server = await startServer(optionsFor(await temporaryDirectory()))
  await Promise.all([server.close(), server.close()])
})

test('a disposer closes in reverse order, even after a failure, and rejects with it', async () => {
  const order: string[] = []
  const disposer = new Disposer()
  disposer.defer(() => order.push('first'))
  disposer.defer(() => {
    order.push('second')
    throw new Error('second fails')
  })
  disposer.defer(() => order.push('third'))
  await expect(disposer.close()).rejects.toThrow('second fails')
  expect(order).toEqual(['third', 'second', 'first'])
})

test('docs/reference/settings.md lists every setting with its flag and default', async () => {
  const document = await readFile(new URL('../../../../docs/reference/settings.md', import.meta.url), 'utf8')
  const listed = document.split('\n').filter((line) => line.startsWith('| `BURGEE_'))
  const cells = listed.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  const rows = describeSettings(settings, 'BURGEE_')
  const listedFlags = new Map(cells.map(([, variable = '', flag]) => [variable, flag]))
  expect(listedFlags).toEqual(new Map(rows.map(({ variable = '', flag }) => [variable, flag])))
  const listedDefaults = new Map(cells.map(([, variable, , standard]) => [variable, standard]))
  for (const row of rows) if (row.default !== '') expect(listedDefaults.get(row.variable)).toBe(row.default)
})
