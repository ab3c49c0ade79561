import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ServerProcess, sendFresh } from '../../support/processes/serverProcess.ts'

/** Returns the process ids of the workers of a server. */
export async function workersOf({ child }: ServerProcess): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  const isWorker = new RegExp(`^ *\\d+ +${child.pid} .*workerProgram`)
  return stdout.split('\n').flatMap((line) => (isWorker.test(line) ? [Number.parseInt(line, 10)] : []))
}

/** Stops all workers but one for a while, so that this one gets all requests. */
export async function withOnly<T>(server: ServerProcess, worker: number, work: () => Promise<T>): Promise<T> {
  const others = (await workersOf(server)).filter((pid) => pid !== worker)
  for (const pid of others) process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT')
  }
}

/** Returns the sum of the series of a metric that have these labels. */
export async function readMetric({ url }: ServerProcess, name: string, labels = ''): Promise<number> {
  const { body } = await sendFresh(`${url}/metrics`)
  const lines = String(body).split('\n')
  return lines
    .filter((line) => line.startsWith(name) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
