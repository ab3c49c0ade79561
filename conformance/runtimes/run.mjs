// Runs the packed core on each runtime, and exits with 1 on a mismatch. See README.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { cases } from './cases.mjs'

const core = join(import.meta.dirname, '../../packages/core')
const require = createRequire(import.meta.url)
const app = mkdtempSync(join(tmpdir(), 'burgee-runtimes-'))

try {
  install()
  const commands = {
    node: [process.execPath, 'main.mjs'],
    bun: [bunPath(), 'main.mjs'],
    deno: [denoPath(), 'run', '--no-remote', '--no-prompt', '--node-modules-dir=manual', 'main.mjs'],
    workerd: [workerdPath(), 'test', 'workerd.capnp']
  }
  const results = Object.entries(commands).map(([runtime, command]) => [runtime, run(command)])
  const [[, reference]] = results
  for (const [runtime, { isPassed, output }] of results) {
    const isSame = isPassed && output === reference.output
    console.log(`${isSame ? 'ok  ' : 'FAIL'} ${runtime}: ${output}`)
    if (!isSame) process.exitCode = 1
  }
} finally {
  rmSync(app, { recursive: true, force: true })
}

/** Installs the tarball of core, which has no dependencies, in a temporary app. */
function install() {
  const options = { cwd: core, encoding: 'utf8' }
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', app], options))
  const target = join(app, 'node_modules/@burgee/core')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(app, filename), '-C', target, '--strip-components=1'])
  const manifest = { type: 'module', dependencies: { '@burgee/core': '*' } }
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(app, 'cases.json'), JSON.stringify(cases()))
  cpSync(join(import.meta.dirname, 'app'), app, { recursive: true })
  // Workers are deployed as bundles.
  buildSync({ absWorkingDir: app, entryPoints: ['worker.mjs'], outfile: 'bundle.mjs', bundle: true, format: 'esm' })
}

/** Runs a command in the app. The output is the summary of app/check.mjs, or the error. */
function run([command, ...args]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: app, encoding: 'utf8', timeout: 120_000 })
  const isPassed = status === 0
  return { isPassed, output: isPassed ? stdout.trim() : (error?.message ?? stderr.trim()) }
}

// The npm packages of the runtimes link their executables in install scripts. These functions find them without.

function bunPath() {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
  return join(packagePath(`@oven/bun-${process.platform}-${arch}`), 'bin/bun')
}

function denoPath() {
  const libc = process.platform === 'linux' ? '-glibc' : ''
  return join(packagePath(`@deno/${process.platform}-${process.arch}${libc}`), 'deno')
}

function workerdPath() {
  const arch = process.arch === 'x64' ? '64' : process.arch
  return join(packagePath(`@cloudflare/workerd-${process.platform}-${arch}`), 'bin/workerd')
}

function packagePath(name) {
  return dirname(require.resolve(`${name}/package.json`))
}
