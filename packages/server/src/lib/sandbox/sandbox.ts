import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createDeferred } from '../deferred.ts'
import { badRequest, rateLimited, unavailable } from '../errors.ts'
import { SECOND } from '../time.ts'
import type { SandboxReply, SandboxRequest } from './serveTasks.ts'

/** Work on data of users that may take any time or memory, such as compiling a JSON Schema. */
export interface SandboxTask {
  /** The name of a function of the program. */
  readonly name: string
  /** Describes the work in messages, for example `checking validation schemas`. */
  readonly what: string
  /** The argument of the function; plain JSON. */
  readonly input: unknown
  /** The processor time that the program allows the work, in milliseconds. */
  readonly limitMs: number
}

/** Runs tasks in a process of its own, one at a time. */
export interface Sandbox {
  /**
   * Returns the result of a task, which is plain JSON.
   * @throws {HttpError} 400 when the task fails, or takes too much time or memory; 429 when too many tasks wait.
   */
  readonly run: (caller: string, task: SandboxTask) => Promise<unknown>
  readonly close: () => Promise<void>
}

interface SandboxOptions {
  /** The program of the process, which calls `serveTasks`. */
  readonly program: URL
  /** Called when the process cannot be started. */
  readonly onFailure: (error: unknown) => void
}

/** Opens a sandbox. Its process starts with the first task, and again after a task that ended it. */
export function openSandbox({ program, onFailure }: SandboxOptions): Sandbox {
  /** The waiting tasks of each caller; the caller whose turn is next comes first. */
  const queued = new Map<string, QueuedTask[]>()
  let child: ChildProcess | undefined
  let isBusy = false
  let isClosed = false

  const runNext = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    for (let next = takeNext(queued); next; next = takeNext(queued)) {
      const { task, resolve, reject } = next
      await runTask(task).then(resolve, reject)
    }
    isBusy = false
  }

  const runTask = async (task: SandboxTask): Promise<unknown> => {
    if (isClosed) throw closedError()
    // The variable is cleared when the process ends.
    const current = child ?? (await startChild(task))
    child = current
    const reply = await exchange(current, task)
    if (typeof reply === 'string' || reply.isFull) {
      current.kill('SIGKILL')
      child = undefined
    }
    if (typeof reply === 'string') throw badRequest(`${task.what} ${reply}`)
    if ('refusal' in reply) throw badRequest(reply.refusal)
    return reply.result
  }

  const startChild = async ({ what }: SandboxTask): Promise<ChildProcess> => {
    const started = await start(program).catch((error: unknown) => {
      onFailure(error)
      throw unavailable(`${what} is not possible now`, RESTART_SECONDS)
    })
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    return started
  }

  return {
    run: (caller, task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw closedError()
        assertRoom(queued, caller)
        queued.set(caller, [...(queued.get(caller) ?? []), { task, resolve, reject }])
        void runNext()
      }),
    close: async () => {
      isClosed = true
      child?.kill('SIGKILL')
    }
  }
}

/** How many times longer than its limit a task may take on a machine that is busy with other work. */
export const STALL_FACTOR = 8

/** The memory of the process for data, in MiB. */
const MEMORY_MIB = 128

/** How long the process may start, and how long after its own timeouts it is killed, in milliseconds. */
const START_MS = 10 * SECOND
const GRACE_MS = SECOND

const MAX_QUEUED_PER_CALLER = 50
const MAX_QUEUED = 500
const RETRY_AFTER_MS = 5 * SECOND
const RESTART_SECONDS = 5

interface QueuedTask {
  readonly task: SandboxTask
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Takes a task of the next caller. The other tasks of the caller wait until every other caller has had a turn. */
function takeNext(queued: Map<string, QueuedTask[]>): QueuedTask | undefined {
  const [next] = queued
  if (!next) return undefined
  const [caller, [first, ...others]] = next
  queued.delete(caller)
  if (others.length > 0) queued.set(caller, others)
  return first
}

/** @throws {HttpError} 429 when too many tasks wait. */
function assertRoom(queued: ReadonlyMap<string, readonly QueuedTask[]>, caller: string): void {
  const own = queued.get(caller)?.length ?? 0
  const all = [...queued.values()].reduce((sum, { length }) => sum + length, 0)
  const retry = `retry in ${RETRY_AFTER_MS / SECOND} s`
  if (own >= MAX_QUEUED_PER_CALLER) {
    const limit = `limit: ${MAX_QUEUED_PER_CALLER} for one caller`
    throw rateLimited(`too many requests with validation schemas are waiting (${limit}); ${retry}`, RETRY_AFTER_MS)
  }
  if (all >= MAX_QUEUED) {
    const limit = `limit: ${MAX_QUEUED} for all callers`
    throw rateLimited(`too many requests with validation schemas are waiting (${limit}); ${retry}`, RETRY_AFTER_MS)
  }
}

function closedError(): Error {
  return unavailable('the server is stopping', RESTART_SECONDS)
}

/**
 * Starts the process. It has no environment variables, hence no secrets, and its output is dropped. It does not keep
 * this process alive.
 */
async function start(program: URL): Promise<ChildProcess> {
  const child = fork(fileURLToPath(program), [String(MEMORY_MIB)], {
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MIB}`, '--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const { promise, resolve, reject } = createDeferred<void>()
  const timer = setTimeout(() => reject(new Error('the process of the sandbox did not start in time')), START_MS)
  const onExit = () => reject(new Error(`the process of the sandbox, ${program.pathname}, ended at its start`))
  child.once('message', () => resolve())
  child.once('exit', onExit)
  child.on('error', reject)
  try {
    await promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit)
  }
  child.unref()
  child.channel?.unref()
  return child
}

/** Sends a task and returns the reply, or the reason why there is none. */
async function exchange(child: ChildProcess, { name, input, limitMs }: SandboxTask): Promise<SandboxReply | string> {
  const tooMuchMemory = `takes too much memory (limit: ${MEMORY_MIB} MiB)`
  const tooLong = `takes too long (limit: ${limitMs} ms for all validation schemas of a request)`
  if (!child.connected) return tooMuchMemory
  const { promise, resolve } = createDeferred<SandboxReply | string>()
  const timer = setTimeout(() => resolve(tooLong), limitMs * (1 + STALL_FACTOR) + GRACE_MS)
  const onExit = () => resolve(tooMuchMemory)
  // The messages of the program are those of `serveTasks`.
  const onMessage = (message: unknown) => resolve(message as SandboxReply)
  child.once('exit', onExit)
  child.once('message', onMessage)
  const request: SandboxRequest = { name, input }
  child.send(request, (error) => error && onExit())
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit)
    child.off('message', onMessage)
  }
}
