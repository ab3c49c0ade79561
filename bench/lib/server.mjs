import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { own, temporaryDirectory } from './cleanUp.mjs'

const program = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))
export const credentials = { id: 'bench', secret: 'the-secret-of-the-bench' }

/** Exits with a message if the server is not built. */
export function assertBuilt() {
  if (existsSync(program)) return
  console.error('packages/server/dist is missing: run `npm install` and `npm run build` at the root first')
  process.exit(1)
}

/** Starts a server in its own process, on a directory or the address of a database. `launcher` is a command that executes it, such as `taskset`. */
export async function start(location, { flags = [], launcher = [] } = {}) {
  const store = location.startsWith('postgres:') ? location : `file:${location}`
  const settings = ['--port', '0', '--store', store, '--log-level', 'warn']
  const [name, ...args] = [...launcher, process.execPath, program, ...settings, ...flags]
  const child = own(
    spawn(name, args, {
      env: {
        ...process.env,
        BURGEE_ADMIN_CLIENT_ID: credentials.id,
        BURGEE_ADMIN_CLIENT_SECRET: credentials.secret,
        // Also what a server that is killed leaves is removed.
        TMPDIR: temporaryDirectory()
      },
      stdio: ['ignore', 'pipe', 'inherit']
    })
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.kill()
    return ended
  }
  let signInLink
  for await (const line of createInterface({ input: child.stdout })) {
    signInLink = /\S+\/session\/link\/\S+/.exec(line)?.[0] ?? signInLink
    const [, url] = /listening on (\S+)/.exec(line) ?? []
    // The link signs in to the dashboard once; only a server with `--demo` prints one.
    if (url) return { url, stop, pid: child.pid, signInLink }
  }
  throw new Error('the server exited before it listened')
}

/** Returns a function that sends a request for the project, and returns the response body. */
export async function caller(url) {
  const request = await signIn(url)
  return (method, version, path, body) => {
    return request(method, `/${version}/projects${path === '' ? '' : `/shop/${path}`}`, body)
  }
}

/** Returns a function that sends a request to a path, and returns the response body. */
export async function signIn(url) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.id,
    client_secret: credentials.secret
  })
  const { access_token } = await (await fetch(`${url}/oauth/token`, { method: 'POST', body })).json()
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const address = `${url}${path}`
    const response = await fetch(address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${address} returned ${response.status}: ${text}`)
    return JSON.parse(text)
  }
}
