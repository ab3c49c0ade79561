// Deletes the declarations in dist that no public entry point of the package in the current folder refers to.
//
// tsc emits a declaration for each module, most of which describe internals. The public declarations are those that
// `exports` in package.json names, and those that they import.
//
//   cd packages/server && node ../../scripts/packages/trimDeclarations.mjs
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.values(exports).flatMap((entry) => (entry.types ? [resolve(entry.types)] : []))

/** Returns the declarations that a declaration imports from its own package. */
function imports(file) {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|\bimport )['"](\.[^'"]+)\.[jt]s['"]/g)
  return [...specifiers].map(([, path]) => resolve(dirname(file), `${path}.d.ts`))
}

const reachable = new Set(entries)
for (const file of reachable) for (const imported of imports(file)) reachable.add(imported)

const emitted = readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))
for (const name of emitted) if (!reachable.has(resolve('dist', name))) rmSync(join('dist', name))

// The deepest folders come first, so that folders that contain only empty folders are removed too.
const folders = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
const deepestFirst = folders.map((folder) => join(folder.parentPath, folder.name)).sort((a, b) => b.length - a.length)
for (const folder of deepestFirst) if (readdirSync(folder).length === 0) rmdirSync(folder)
