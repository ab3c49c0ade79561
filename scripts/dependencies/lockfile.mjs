// Reads package-lock.json: which packages are installed with a published package.
import { readFileSync } from 'node:fs'

export const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))

/** Returns the path in the lockfile at which the package at `path` resolves `name`. */
export function resolve(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const candidate = `${at ? `${at}/` : ''}node_modules/${name}`
    const entry = lock.packages[candidate]
    if (entry) return entry.link ? entry.resolved : candidate
    if (!at) return undefined
  }
}

/** Returns the packages on which the package at `path` depends, and whether it runs without them. */
export function dependenciesOf(path) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lock.packages[path]
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return names.flatMap((name) => {
    const found = resolve(path, name)
    const isOptional = !dependencies?.[name] && (!peerDependencies?.[name] || peerDependenciesMeta?.[name]?.optional)
    return found ? [{ name, path: found, isOptional: isOptional === true }] : []
  })
}
