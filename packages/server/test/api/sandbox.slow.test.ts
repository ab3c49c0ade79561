import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sample } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HttpError } from '../../src/lib/errors.ts'
import { openSandbox, type Sandbox, type SandboxTask } from '../../src/lib/sandbox/sandbox.ts'

/** Opens a sandbox with a program that evaluates the texts that it receives. */
async function open(setUp = `process.send('ready')`): Promise<Sandbox & { readonly failures: unknown[] }> {
  const program = join(await temporaryDirectory(), 'program.mjs')
  const onMessage = `process.on('message', ({ input }) => process.send({ result: eval(input), isFull: false }))`
  await writeFile(program, `${onMessage}\n${setUp}\nprocess.on('disconnect', () => process.exit())`)
  const failures: unknown[] = []
  const sandbox = openSandbox({
    program: pathToFileURL(program),
    onFailure: (error) => void failures.push(error)
  })
  onTestFinished(() => sandbox.close())
  return { ...sandbox, failures }
}

function task(input: string, limitMs = 5_000): SandboxTask {
  return { name: 'evaluate', what: 'the work', input, limitMs }
}

/** Waits until a process has ended. */
function ended(pid: number): Promise<void> {
  return vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 60_000, interval: 5 })
}

async function refusalOf(result: Promise<unknown>): Promise<HttpError | undefined> {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason
  )
  return error instanceof HttpError ? error : undefined
}

// Each of them would end the server, or would do so in a thread of it.
const ends = [
  ['one large array', 'new Array(60e6).fill({})'],
  ['one large text', `JSON.stringify('x'.repeat(2 ** 28)).length`],
  ['many objects', `(() => { const list = []; for (;;) list.push({ at: list.length }) })()`],
  ['the end of the process', 'process.exit(3)']
] as const

test.each(sample(ends, 2, 'ends of a process'))(
  'a task that ends its process is refused, and the next one runs: %s',
  async (_, input) => {
    const sandbox = await open()
    const refusal = await refusalOf(sandbox.run('ada', task(input, 20_000)))
    expect([refusal?.status, refusal?.message]).toEqual([400, 'the work takes too much memory (limit: 128 MiB)'])
    expect(await sandbox.run('ada', task('1 + 1'))).toBe(2)
  }
)

test('a task that does not end is refused, and the next one runs', async () => {
  const sandbox = await open()
  const endless = sandbox.run('ada', task('for (;;);', 100))
  const next = sandbox.run('ada', task('1 + 1'))
  const refusal = await refusalOf(endless)
  expect(refusal?.status).toBe(400)
  expect(refusal?.message).toBe('the work takes too long (limit: 100 ms for all validation schemas of a request)')
  expect(await next).toBe(2)
})

test('tasks see no environment variables, which contain secrets', async () => {
  const sandbox = await open()
  expect(
    await sandbox.run('ada', task('Object.keys(process.env).filter((name) => !name.startsWith("NODE_CHANNEL"))'))
  ).toEqual([])
})

test('callers take turns, and one with many tasks is refused with 429', async () => {
  const sandbox = await open()
  const order: string[] = []
  const run = async (caller: string, name: string) => {
    await sandbox.run(caller, task('1'))
    order.push(name)
  }
  const work = [run('ada', 'first'), ...Array.from({ length: 50 }, (_, index) => run('ada', `ada ${index}`))]
  const refusal = await refusalOf(sandbox.run('ada', task('1')))
  expect(refusal?.status).toBe(429)
  expect(refusal?.message).toBe(
    'too many requests with validation schemas are waiting (limit: 50 for one caller); retry in 5 s'
  )
  expect(refusal?.headers).toEqual({ 'retry-after': '5' })
  work.push(run('bob', 'bob'))
  await Promise.all(work)
  expect(order.indexOf('bob')).toBeLessThan(4)
})

test('all callers together can have 500 waiting tasks', async () => {
  const sandbox = await open()
  const work = Array.from({ length: 501 }, (_, index) => sandbox.run(`caller ${index % 20}`, task('1')))
  expect((await refusalOf(sandbox.run('ada', task('1'))))?.message).toMatch(/limit: 500 for all callers/)
  await Promise.all(work)
})

test('a process that does not start is reported, and requests are answered with 503', async () => {
  const sandbox = await open('process.exit(1)')
  const refusal = await refusalOf(sandbox.run('ada', task('1')))
  expect([refusal?.status, refusal?.message]).toEqual([503, 'the work is not possible now'])
  expect(sandbox.failures).toHaveLength(1)
})

test('a process that ended while it had no task is replaced', async () => {
  const sandbox = await open()
  const pid = Number(await sandbox.run('ada', task('process.pid')))
  process.kill(pid, 'SIGKILL')
  await ended(pid)
  expect(await sandbox.run('ada', task('1 + 1'))).toBe(2)
})

test('closing ends the process, and tasks are refused', async () => {
  const sandbox = await open()
  const pid = Number(await sandbox.run('ada', task('process.pid')))
  const begun = join(await temporaryDirectory(), 'begun')
  const signal = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(begun)}, '')`
  const running = refusalOf(sandbox.run('ada', task(`${signal}; for (;;);`)))
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 60_000, interval: 5 })
  await sandbox.close()
  expect((await refusalOf(sandbox.run('ada', task('1'))))?.status).toBe(503)
  await running
  await ended(pid)
})
