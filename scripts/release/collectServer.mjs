// Copies the built server with its production dependencies to a folder, for images and for /opt/burgee of a machine:
// the packages of the bill of materials, at the versions of package-lock.json, from node_modules.
//
//   npm ci && npm run build && node scripts/release/collectServer.mjs /opt/burgee
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dependenciesOf, lock } from '../dependencies/lockfile.mjs'
import { published } from '../packages/published.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [given] = process.argv.slice(2)
if (given === undefined) throw new Error('usage: node scripts/release/collectServer.mjs <folder>')
const target = resolve(given)
if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} should be empty or not exist`)

const paths = new Set(['packages/server'])
for (const path of paths) for (const dependency of dependenciesOf(path)) paths.add(dependency.path)
for (const path of paths) {
  if (/^packages\/[^/]+$/.test(path)) copyWorkspace(path)
  else if (existsSync(join(root, path))) copyPackage(path)
  // Optional packages of other platforms are not installed.
  else if (!lock.packages[path].optional) throw new Error(`${path} is not installed: run npm ci`)
}
console.log(`${paths.size} packages in ${target}`)

/** Copies what a workspace publishes, without source maps, and links it into `node_modules`. */
function copyWorkspace(path) {
  const { name, manifest } = published.find(({ directory }) => path === `packages/${directory}`)
  if (!existsSync(join(root, path, 'dist'))) throw new Error(`${path} is not built: run npm run build`)
  const files = manifest.files.filter((file) => !file.startsWith('!') && existsSync(join(root, path, file)))
  for (const file of ['package.json', 'LICENSE', ...files]) copy(join(path, file))
  const link = join(target, 'node_modules', name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(relative(dirname(link), join(target, path)), link)
}

/** Copies a package without the packages nested in it, which are collected themselves. */
function copyPackage(path) {
  copy(path, (source) => !source.slice(join(root, path).length).includes('/node_modules'))
}

function copy(path, accepts = () => true) {
  const filter = (source) => accepts(source) && !/\.(map|d\.[cm]?ts)$/.test(source)
  cpSync(join(root, path), join(target, path), { recursive: true, filter })
}
