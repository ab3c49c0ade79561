// Deletes the declarations in dist that no public entry point of the package in the current folder refers to.
//
// tsc emits a declaration for each module that it compiles, so most of what it emits for a server describes internals.
// Which declarations are public follows from `exports` in package.json and the imports of the declarations themselves.
//
//   cd packages/server && node ../../scripts/trimDeclarations.mjs
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const entries = Object.values(exports).flatMap((entry) => (entry.types ? [resolve(entry.types)] : []))

/** The declarations that a declaration imports from its own package. */
function imports(file) {
  const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|\bimport )['"](\.[^'"]+)\.[jt]s['"]/g)
  return [...specifiers].map(([, path]) => resolve(dirname(file), `${path}.d.ts`))
}

const reachable = new Set(entries)
for (const file of reachable) for (const imported of imports(file)) reachable.add(imported)

const emitted = readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))
for (const name of emitted) if (!reachable.has(resolve('dist', name))) rmSync(join('dist', name))

// The deepest folders come first, so that a folder that holds only empty folders goes too.
const folders = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
const deepestFirst = folders.map((folder) => join(folder.parentPath, folder.name)).sort((a, b) => b.length - a.length)
for (const folder of deepestFirst) if (readdirSync(folder).length === 0) rmdirSync(folder)
