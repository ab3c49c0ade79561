// Starts and stops processes for the tests of deploy/.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const deploy = fileURLToPath(new URL('..', import.meta.url))
export const executable = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))

/** Files of the tests. Deleted when the process exits. */
export const work = mkdtempSync(join(tmpdir(), 'burgee-deploy-'))
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
})

/** Whether a command is installed. */
export function isInstalled(command) {
  return [...process.env.PATH.split(delimiter), '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Runs a command to its end; returns its exit code and output. */
export async function run(command, args, options = {}) {
  return await new Promise((resolve) => {
    const env = { ...process.env, PATH: `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`, ...options.env }
    execFile(command, args, { maxBuffer: 2 ** 26, ...options, env }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr })
    )
  })
}

/** Starts a command in the background. `output()` returns what it has printed. */
export function start(command, args, env = {}) {
  const path = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`
  const child = spawn(command, args, { env: { ...process.env, PATH: path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'exit').then(() => children.delete(child))
  return {
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    }
  }
}

/** Resolves when `read` returns a truthy value, with that value. */
export async function until(read, what, timeoutMs = 20_000) {
  for (const deadline = Date.now() + timeoutMs; ; ) {
    const value = await read()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server with the demo project, and the settings that its proxy needs. */
export async function startServer(name, settings) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const server = start(process.execPath, [executable, '--demo', '--store', `file:${join(work, name)}`], {
    BURGEE_PORT: String(port),
    BURGEE_METRICS_PORT: String(metricsPort),
    BURGEE_ADMIN_CLIENT_ID: 'operator',
    BURGEE_ADMIN_CLIENT_SECRET: 'the-secret-of-the-proxy-tests',
    BURGEE_TRUSTED_PROXIES: '1',
    BURGEE_MCP: 'true',
    ...settings
  })
  await until(() => /^burgee-server listening/m.test(server.output()), `the start of the server: ${server.output()}`)
  const [key] = /server-[\w-]{20,}/.exec(server.output())
  return { ...server, port, key }
}
