import { type ChildProcess, spawn } from 'node:child_process'
import { request } from 'node:http'
import { addCleanup } from '@burgee/testing/cleanup'
import { executable } from './executable.ts'

/** A running process of the executable. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Its exit code; `null` when a signal ended it. */
  readonly ended: Promise<number | null>
  readonly stderr: () => string
}

/** The administrator client of the started servers. */
export const administrator = {
  BURGEE_ADMIN_CLIENT_ID: 'ops',
  BURGEE_ADMIN_CLIENT_SECRET: 'a-secret-for-the-tests'
}

/** Runs the built executable until it listens. It is killed after the tests of the file. */
export async function startServerProcess(
  args: readonly string[],
  environment: Record<string, string> = {}
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [executable, '--port', '0', ...args], {
    env: { ...administrator, ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let [stdout, stderr] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  addCleanup(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      const [, address] = /^burgee-server listening on (http:\/\/\S+)$/m.exec(stdout) ?? []
      if (address) resolve(address)
    })
    void ended.then(() => reject(new Error(`the server did not start: ${stderr}`)))
  })
  return { url, child, ended, stderr: () => stderr }
}

/** A response with its whole body. */
export interface FreshResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

/** Sends a request on a connection of its own. */
export function sendFresh(
  url: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {}
): Promise<FreshResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: { 'content-type': 'application/json', ...headers } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('error', reject)
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json')
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
      })
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Returns what sends requests as the administrator, on connections of their own. */
export async function signInFresh(
  url: string
): Promise<(method: string, path: string, body?: unknown) => Promise<FreshResponse>> {
  const headers = { authorization: await fetchAuthorization(url) }
  return (method, path, body) => sendFresh(`${url}${path}`, { method, body, headers })
}

/** Returns the header `Authorization` of the administrator. */
export async function fetchAuthorization(url: string): Promise<string> {
  const parameters = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: administrator.BURGEE_ADMIN_CLIENT_ID,
    client_secret: administrator.BURGEE_ADMIN_CLIENT_SECRET
  })
  const token = (await (await fetch(`${url}/oauth/token`, { method: 'POST', body: parameters })).json()) as {
    access_token: string
  }
  return `Bearer ${token.access_token}`
}
