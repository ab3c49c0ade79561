import { type ChildProcess, spawn } from 'node:child_process'
import { addCleanup } from '@burgee/testing/cleanup'
import { options, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { executable } from '../../support/processes/executable.ts'
import { workers } from './chaosOptions.ts'

/** A server in a process of its own, which can be killed. */
export interface ServerProcess extends TestServer {
  readonly pid: number
  /** Sends a signal, and resolves when the process has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
  /** Resolves with the exit code when the process has ended; `null` after a signal. */
  readonly ended: Promise<number | null>
  /** Sends a signal after which the process continues, such as `SIGSTOP`. */
  readonly signal: (signal: NodeJS.Signals) => void
}

/** How to start a server. */
export interface ProcessOptions {
  /** The directory of its store, or the address of its database. */
  readonly directory: string
  readonly port?: number
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** A command that executes the server, such as `sh -c 'ulimit …'`. */
  readonly launcher?: readonly string[]
}

/** Starts the built server without waiting for it. `up` resolves when it listens, and rejects when it ends before. */
export function spawnServer({ directory, port = 0, args = [], environment = {}, launcher = [] }: ProcessOptions): {
  readonly child: ChildProcess
  readonly up: Promise<ServerProcess>
} {
  const [command = process.execPath, ...rest] = [
    ...launcher,
    process.execPath,
    executable,
    ...['--port', String(port), '--store', toStoreUrl(directory), '--log-level', 'error', '--workers', workers],
    ...args
  ]
  const child = spawn(command, rest, {
    env: {
      PATH: process.env.PATH,
      BURGEE_ADMIN_CLIENT_ID: options.adminClientId,
      BURGEE_ADMIN_CLIENT_SECRET: options.adminClientSecret,
      BURGEE_MANAGEMENT_RATE_LIMIT: '0',
      BURGEE_ALLOWED_PRIVATE_TARGETS: '127.0.0.1',
      BURGEE_BACKUP_HOURS: '0',
      ...environment
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  addCleanup(() => end('SIGKILL'))
  const logs: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void logs.push(...text.trimEnd().split('\n')))
  const up = new Promise<ServerProcess>((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (piece) => {
      text += piece
      const url = /listening on (\S+)/.exec(text)?.[1]
      if (url === undefined) return
      const clock = { now: Date.now, failure: undefined, reads: 0 }
      const shared = { url, port: Number(new URL(url).port), directory, clock, administrator: undefined, logs }
      const signal = (name: NodeJS.Signals) => void child.kill(name)
      resolve({ ...shared, pid: child.pid ?? 0, close: () => end('SIGTERM'), end, ended, signal })
    })
    void ended.then((code) => {
      reject(new Error(`the server ended with ${code} before it listened: ${logs.slice(-5).join('\n')}`))
    })
  })
  // A test that kills a server while it starts does not wait for it.
  up.catch(() => {})
  return { child, up }
}

/** Starts the built server, and resolves when it listens. */
export function startProcess(given: ProcessOptions): Promise<ServerProcess> {
  return spawnServer(given).up
}
