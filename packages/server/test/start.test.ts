import { readdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatHelp, parseOptions } from '../src/cli/kit/options.ts'
import { hashSecret } from '../src/identity/secrets/secretHash.ts'
import { Disposer } from '../src/lib/disposer.ts'
import { randomIdGenerator } from '../src/lib/idGenerator.ts'
import { OptionError } from '../src/lib/optionError.ts'
import { startServer } from '../src/server.ts'
import { StoreOpenError } from '../src/storage/store.ts'

function optionsFor(directory: string, ...flags: string[]) {
  return parseOptions(['--store', `file:${directory}`, '--port', '0', '--log-level', 'silent', ...flags], {})
}

test('a start that finds its port taken leaves nothing open behind', async () => {
  const directory = await temporaryDirectory()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  onTestFinished(() => void vi.restoreAllMocks())
  const [set, cleared] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  await expect(startServer({ ...optionsFor(directory), port })).rejects.toThrow(OptionError)
  expect(set).toHaveBeenCalled()
  const left = set.mock.results.filter(({ value: timer }) => !cleared.mock.calls.flat().includes(timer))
  expect(left).toEqual([])
  expect(await readdir(directory)).not.toContain('db.json.lock')
  const server = await startServer(optionsFor(directory))
  await server.close()
  other.close()
})

test('whoever asks while the administrator is being set up waits for that', async () => {
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
          // The server listens. Secrets are made one at a time, so those before it keep the administrator's for long.
          for (let before = 0; before < 10; before++) asked.push(hashSecret('another'))
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
  expect(last.slice(2).sort()).toEqual(['/livez', '/readyz', '/v1/projects'])
})

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise((resolve) => taken.close(resolve))
  return port
}

test('a start that cannot open the event store says so as one line about the store', async () => {
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
        // Only a connection that nothing was answered on may fail: then the server is gone.
        expect(error).toMatchObject({ isReused: false })
        isRefused = true
      }
    }
  }
  const workers = Array.from({ length: 8 }, worker)
  await vi.waitUntil(() => answers.length >= 16)
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

test('a connection that never says anything does not hold up the end', async () => {
  const server = await startServer(optionsFor(await temporaryDirectory()))
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  const ended = new Promise((resolve) => silent.once('close', resolve))
  await new Promise((resolve) => silent.once('connect', resolve))
  const begun = performance.now()
  await server.close()
  await ended
  expect(performance.now() - begun).toBeLessThan(4_000)
})

test('a server can be closed twice', async () => {
  const server = await startServer(optionsFor(await temporaryDirectory()))
  await Promise.all([server.close(), server.close()])
})

test('what was opened is closed in reverse, also after a failure, which is told', async () => {
  const order: string[] = []
  const opened = new Disposer()
  opened.defer(() => order.push('first'))
  opened.defer(() => {
    order.push('second')
    throw new Error('second fails')
  })
  opened.defer(() => order.push('third'))
  await expect(opened.close()).rejects.toThrow('second fails')
  expect(order).toEqual(['third', 'second', 'first'])
})

test('docs/reference/settings.md lists the settings that --help lists, with their defaults', async () => {
  const document = await readFile(new URL('../../../docs/reference/settings.md', import.meta.url), 'utf8')
  const settings = [...formatHelp().matchAll(/^ {2}(--[\w-]+).*\n {6}(BURGEE_\w+)\..*?(?: Default: (\S+))?$/gm)]
  expect(settings.length).toBeGreaterThan(5)
  for (const [, flag, variable, standard] of settings) {
    const row = document.split('\n').find((line) => line.startsWith(`| \`${variable}\` `))
    const cells = row?.split('|').map((cell) => cell.trim())
    expect(cells?.[2]).toBe(`\`${flag}\``)
    if (standard) expect(cells?.[3]).toBe(`\`${standard}\``)
  }
})
