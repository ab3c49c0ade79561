import { spawn } from 'node:child_process'

/** How long a program may take, in milliseconds. */
const LIMIT_MS = 180_000

/** Runs a program to its end; returns its exit code and its output. */
export async function run(file, args, settings = {}) {
  const child = spawn(file, args, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS
  })
  const [stdout, stderr, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  ])
  return { code, stdout, stderr, output: stdout + stderr }
}

async function textOf(stream) {
  let text = ''
  for await (const part of stream.setEncoding('utf8')) text += part
  return text
}

/** Starts a server program; returns the match of `pattern` in its output, and a function to stop it. */
export async function serve(args, pattern, settings = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  // Child processes end with this one.
  process.once('exit', () => child.kill())
  const url = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
      const [, address] = pattern.exec(text) ?? []
      if (address) resolve(address)
    })
    void ended.then((code) => reject(new Error(`${args[0]} ended with ${code}`)))
  })
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}
