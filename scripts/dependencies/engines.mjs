// Fails if a production dependency of a published package does not support the oldest Node.js that the package
// supports.
//
// npm only warns about `engines`, and only about the Node.js that it runs on. This check compares ranges, so its result
// is the same on every machine. It reads the versions of package-lock.json; scripts/packages/packed.mjs covers those of
// a new install.
//
//   node scripts/dependencies/engines.mjs
import semver from 'semver'
import { published } from '../packages/published.mjs'
import { dependenciesOf, lock } from './lockfile.mjs'

/** Returns the packages that are installed with the package at `root`: path in the lockfile → chain of dependents. */
function installedWith(root, name) {
  const chains = new Map([[root, [name]]])
  for (const [path, chain] of chains) {
    for (const dependency of dependenciesOf(path)) {
      if (!chains.has(dependency.path)) chains.set(dependency.path, [...chain, dependency.name])
    }
  }
  return chains
}

const conflicts = new Set()
let checked = 0
for (const { name, directory, manifest } of published) {
  const oldest = semver.minVersion(manifest.engines.node).version
  for (const [path, chain] of installedWith(`packages/${directory}`, name)) {
    const { version, engines } = lock.packages[path]
    checked += 1
    // A few old packages write `engines` as a list.
    const range = Array.isArray(engines) ? undefined : engines?.node
    if (range && !semver.satisfies(oldest, range)) {
      conflicts.add(`${chain.join(' → ')} ${version} needs Node.js ${range}, but ${name} supports ${oldest}`)
    }
  }
}

for (const conflict of conflicts) console.error(conflict)
if (conflicts.size > 0) process.exitCode = 1
else console.log(`${checked} production dependencies accept the oldest supported Node.js`)
