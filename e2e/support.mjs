import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const executable = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url))

/**
 * The path of the browser, if there is one: that of CHROMIUM, or one of Debian's packages. The headless shell is the same
 * engine without the windows of a desktop browser, and needs less than half of the processor time.
 */
const browserPath = (
  process.env.CHROMIUM ? [process.env.CHROMIUM] : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
).find((path) => existsSync(path))

/**
 * The reason why the tests cannot run; `false` when they can. With REQUIRE_BROWSER=1 a missing browser is a failure.
 */
export function reasonToSkip() {
  if (browserPath) return false
  const reason =
    'there is no browser: install the package chromium-headless-shell, or name one with CHROMIUM=/path/to/it'
  if (process.env.REQUIRE_BROWSER === '1') throw new Error(reason)
  return reason
}

/** Starts the browser headless. */
export function launch() {
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync'
    ]
  })
}

/** Repeats an assertion until it holds, for long enough on a busy machine. Then it throws what it threw last. */
export async function eventually(assertion) {
  for (const end = Date.now() + 60_000; ; await setTimeout(50)) {
    try {
      return await assertion()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

const administrator = { client_id: 'e2e-admin', client_secret: 'the-secret-of-the-browser-tests' }

/** Starts the built server on an empty store; returns its URL and functions to call its API and to stop it. */
export async function startServer(settings = {}, given = undefined) {
  if (!existsSync(executable)) throw new Error('packages/server/dist is missing: run `npm run build` at the root first')
  const directory = await mkdtemp(join(tmpdir(), 'burgee-e2e-'))
  let { port, ...running } = await runOnFreePort(directory, settings, given)
  const { url } = running
  const grant = new URLSearchParams({ grant_type: 'client_credentials', ...administrator })
  const { access_token } = await (await fetch(`${url}/oauth/token`, { method: 'POST', body: grant })).json()

  /** Calls the management API as the administrator. */
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    url,
    signInLink: running.signInLink,
    send,
    post: (path, body) => send('POST', path, body),
    /** Stops it gracefully, and keeps its store. */
    halt: () => running.end(),
    /** Starts it again on the same port. */
    resume: async () => {
      running = await run(directory, port, settings)
    },
    stop: async () => {
      await running.end()
      await rm(directory, { recursive: true })
    }
  }
}

/**
 * Returns a port that is free at the moment. It is below those that systems give out by themselves, so that a server can
 * leave it and come back.
 */
export async function findFreePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return String(port)
  }
}

/** Runs the built server on a given port, or on a free one: another one, if a program takes it first. */
async function runOnFreePort(directory, settings, given) {
  for (let attempt = 1; ; attempt++) {
    const port = given ?? (await findFreePort())
    try {
      return { port, ...(await run(directory, port, settings)) }
    } catch (error) {
      if (given || attempt === 3) throw error
    }
  }
}

/** Runs the built server on a store until it is stopped. */
async function run(directory, port, settings) {
  const child = spawn(process.execPath, [executable, '--port', port, '--store', `file:${directory}`], {
    env: {
      BURGEE_ADMIN_CLIENT_ID: administrator.client_id,
      BURGEE_ADMIN_CLIENT_SECRET: administrator.client_secret,
      // The server warns about wrong passwords, which are intended here.
      BURGEE_LOG_LEVEL: 'error',
      ...settings
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let text = ''
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
      const [, address] = /^burgee-server listening on (\S+)$/m.exec(text) ?? []
      if (address) resolve(address)
    })
    void ended.then((code) => reject(new Error(`the server ended with ${code}`)))
  })
  return {
    url,
    /** The one-time link of a demo server; `undefined` without the demo. */
    signInLink: /^ {2}(\S+\/session\/link\/\S+)$/m.exec(text)?.[1],
    end: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}

/** An application with a redirect URI, which redirects users to a page of another origin. */
export async function startApplication() {
  const server = createServer((request, response) => {
    if (request.url.startsWith('/callback')) {
      const { port } = server.address()
      response
        .writeHead(302, { location: `http://localhost:${port}/home${new URL(request.url, 'http://a').search}` })
        .end()
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Home</title><h1>Welcome back</h1>')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    redirectUri: `http://127.0.0.1:${server.address().port}/callback`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}
