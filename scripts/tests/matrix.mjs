// Runs the tests on other release lines of Node.js than the installed one. The binaries come from npm.
//
//   npm run test:matrix                              # all tests, on each line
//   npm run test:matrix -- packages/core             # some tests; arguments go to Vitest
//   npm run test:matrix -- --node=24 packages/core   # on one line
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chosen = process.argv.slice(2).flatMap((argument) => argument.match(/^--node=(.+)$/)?.[1] ?? [])
const lines = chosen.length > 0 ? chosen : ['22', '24']
const vitestArguments = process.argv.slice(2).filter((argument) => !argument.startsWith('--node='))
const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

const failed = lines.filter((line) => !passesOn(line))
if (failed.length > 0) {
  console.error(`the tests fail on Node.js ${failed.join(' and ')}`)
  process.exitCode = 1
}

function passesOn(line) {
  const bin = install(line)
  const version = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()
  console.log(`\nNode.js ${version}`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(join(bin, 'node'), [vitest, 'run', ...vitestArguments], {
    cwd: root,
    // Child processes started as `node` use the same release line.
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    stdio: 'inherit'
  })
  return status === 0
}

/** Installs the binary of a release line into the cache folder, outside of the lockfile, and returns its folder. */
function install(line) {
  const folder = join(root, 'node_modules/.cache/node', line)
  const modules = join(folder, 'node_modules')
  if (!existsSync(join(modules, platform))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...options, `${platform}@${line}`], { cwd: folder, stdio: 'inherit' })
  }
  return join(modules, platform, 'bin')
}
