// Fails if a production dependency of a published package excludes the oldest Node.js that the package promises.
//
// npm only warns about `engines`, and only about the Node.js that it runs on. This check compares ranges, so it fails on
// every machine. It reads what package-lock.json resolved; scripts/packed.mjs covers what a new install resolves.
//
//   node scripts/engines.mjs
import { readFileSync } from 'node:fs'
import semver from 'semver'
import { published } from './published.mjs'

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

/** The place in the lockfile from which the package at `place` loads `name`. */
function resolve(place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const candidate = `${at ? `${at}/` : ''}node_modules/${name}`
    const entry = lock.packages[candidate]
    if (entry) return entry.link ? entry.resolved : candidate
    if (!at) return undefined
  }
}

/** Place of each package that is installed with the package at `root` → the names on the way to it. */
function installedWith(root, name) {
  const paths = new Map([[root, [name]]])
  for (const [place, path] of paths) {
    const { dependencies, optionalDependencies, peerDependencies } = lock.packages[place]
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = resolve(place, dependency)
      if (found && !paths.has(found)) paths.set(found, [...path, dependency])
    }
  }
  return paths
}

const refusals = new Set()
let checked = 0
for (const { name, directory, manifest } of published) {
  const oldest = semver.minVersion(manifest.engines.node).version
  for (const [place, path] of installedWith(`packages/${directory}`, name)) {
    const { version, engines } = lock.packages[place]
    checked += 1
    // A few old packages write `engines` as a list.
    const range = Array.isArray(engines) ? undefined : engines?.node
    if (range && !semver.satisfies(oldest, range)) {
      refusals.add(`${path.join(' → ')} ${version} needs Node.js ${range}, but ${name} promises ${oldest}`)
    }
  }
}

for (const refusal of refusals) console.error(refusal)
if (refusals.size > 0) process.exitCode = 1
else console.log(`${checked} production dependencies accept the oldest supported Node.js`)
