// Installs the tarballs of the published packages into an empty project, and tests them there.
//
// The install resolves every dependency anew, as on a user's machine, and --engine-strict makes it fail if one of them
// does not support the Node.js in use. The project is deleted if everything passes.
//
//   npm run packed
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { published } from './published.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The installed size of core, in bytes: docs/performance.md, Goals. */
const MAX_CORE_SIZE = 150 * 1024
const project = mkdtempSync(join(tmpdir(), 'burgee-packed-'))
console.log(`packed: ${project}`)

const tarballs = inspect()
install()
runs('core from ESM', 'node', 'core.mjs')
compiles('nodenext', 'nodenext')
compiles('esnext', 'bundler')
printsUsage('burgee-server')
printsUsage('burgee-mcp')
printsUsage('burgee')
await withServer((env) => {
  runs('HTTP, client and provider against npx burgee-server', 'node', 'evaluate.mjs', env)
  listsFlags(env)
})
rmSync(project, { recursive: true })

/** Prints the size of each tarball that scripts/packages/pack.mjs has made, and returns their paths. */
function inspect() {
  return published.map(({ directory }) => {
    const folder = join(root, 'packages', directory, 'packed')
    const { name, size, unpackedSize, entryCount, files } = JSON.parse(readFileSync(join(folder, 'pack.json'), 'utf8'))
    const declarations = files.filter(({ path }) => path.endsWith('.d.ts')).length
    console.log(
      `  ${name.padEnd(30)} ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ` +
        `${String(entryCount).padStart(3)} files, ${String(declarations).padStart(3)} declarations`
    )
    for (const { path } of files)
      assert.doesNotMatch(path, /\.test\.|conformance\.(js|d\.ts)/, `${name} contains ${path}`)
    for (const file of ['LICENSE', 'README.md', 'package.json'])
      assert.ok(
        files.some(({ path }) => path === file),
        file
      )
    return join(folder, 'package.tgz')
  })
}

function kilobytes(bytes) {
  return `${String(Math.ceil(bytes / 1000)).padStart(5)} kB`
}

/** Installs the tarballs and the one peer dependency into an empty project. */
function install() {
  cpSync(new URL('packed', import.meta.url), project, { recursive: true })
  const peers = Object.assign({}, ...published.map(({ manifest }) => required(manifest)))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: peers }))
  run(project, 'npm', ['install', '--engine-strict', '--strict-peer-deps', '--no-audit', '--no-fund', ...tarballs])
  const installed = readdirSync(join(project, 'node_modules/@burgee'))
  assert.deepEqual(installed, published.map(({ name }) => name.split('/')[1]).sort())
  // The pages of the dashboard are published without source maps, and so is core, whose modules are readable.
  const mapped = installed.filter((name) => !['core', 'dashboard'].includes(name))
  for (const name of mapped) assertSources(join(project, 'node_modules/@burgee', name, 'dist'))
  const size = sizeOf(join(project, 'node_modules/@burgee/core'))
  assert.ok(size <= MAX_CORE_SIZE, `core has ${size} bytes installed, more than ${MAX_CORE_SIZE}`)
  console.log('  installed with --engine-strict')
}

/** Returns the required peer dependencies of a package. */
function required({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional))
}

/** Returns the sum of the sizes of the files in a directory, in bytes. */
function sizeOf(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Asserts that each source map contains its sources, which are not published. */
function assertSources(dist) {
  const maps = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js.map'))
  assert.notEqual(maps.length, 0, `${dist} has no source maps`)
  for (const name of maps) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(dist, name), 'utf8'))
    assert.equal(sourcesContent?.filter(Boolean).length, sources.length, `${name} lacks sources`)
  }
}

function compiles(module, moduleResolution) {
  const options = { module, moduleResolution, target: 'es2022', strict: true, noEmit: true, types: ['node'] }
  const compilerOptions = {
    ...options,
    lib: ['es2023', 'dom'],
    skipLibCheck: false,
    typeRoots: [join(root, 'node_modules/@types')]
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  runs(`types under ${moduleResolution}`, 'node', join(root, 'node_modules/typescript/bin/tsc'))
}

function printsUsage(command) {
  assert.match(run(project, 'npx', ['--no', command, '--', '--help']), /^Usage: /m)
  console.log(`  npx ${command} --help`)
}

/** Runs `use` with a running server that has the demo project and its own store. */
async function withServer(use) {
  const store = join(project, 'store')
  const args = ['--no', 'burgee-server', '--', '--demo', '--port', '0', '--store', `file:${store}`]
  // A separate process group, because npx starts the server through a shell that forwards no signals.
  const server = spawn('npx', args, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const exited = new Promise((resolve) => server.once('exit', resolve))
  try {
    const output = await until(server, /^burgee-server listening on /m)
    const administrator = parseEnv(readFileSync(join(store, 'administrator.env'), 'utf8'))
    const url = find(/listening on (\S+)/, output)
    use({ BURGEE_URL: url, BURGEE_SDK_KEY: find(/server-[\w-]{20,}/, output), ...administrator })
  } finally {
    try {
      process.kill(-server.pid, 'SIGTERM')
    } catch {
      // The server has exited already.
    }
    await exited
    // npx exits before the server, which releases its store last.
    const deadline = Date.now() + 10_000
    while (existsSync(join(store, 'db.json.lock')) && Date.now() < deadline) await setTimeout(20)
  }
}

/** Lists the flags of the demo project with the packed command line. */
function listsFlags(env) {
  const flags = JSON.parse(run(project, 'npx', ['--no', 'burgee', '--', 'features', 'list', '-p', 'demo'], env))
  assert.ok(flags.some(({ key }) => key === 'new-checkout'))
  console.log('  npx burgee features list')
}

function find(pattern, output) {
  const match = pattern.exec(output)
  assert.ok(match, `${pattern} is not in:\n${output}`)
  return match[1] ?? match[0]
}

/** Resolves with the output of the process as soon as it matches. */
function until(child, pattern) {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`the server exited with ${code} before it listened:\n${output}`)))
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (pattern.test(output)) resolve(output)
    })
  })
}

function runs(title, command, file, env = {}) {
  run(project, command, [file], env)
  console.log(`  ${title}`)
}

function run(cwd, command, args, env = {}) {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000
  })
}
