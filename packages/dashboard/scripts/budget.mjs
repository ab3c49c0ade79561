// Fails if the built files are larger than the limits, and prints them. All sizes are of gzip.
import { readdirSync, readFileSync, statSync } from 'node:fs'

const KIB = 1024
const limits = { first: 200 * KIB, chunk: 80 * KIB, css: 14 * KIB }
const directory = new URL('../dist/public/', import.meta.url)
const size = (file) => statSync(new URL(`${file}.gz`, directory)).size

const html = readFileSync(new URL('index.html', directory), 'utf8')
const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file)
const assets = readdirSync(new URL('assets/', directory)).map((file) => `assets/${file}`)
const list = assets.filter((file) => /FeatureListPage/.test(file) && /\.(js|css)$/.test(file))
const first = [...new Set(['index.html', ...named, ...list.flatMap((file) => withImports(file))])]

/** A file and what it imports at once, in turn. */
function withImports(file, seen = new Set()) {
  if (seen.has(file)) return []
  seen.add(file)
  const imported = file.endsWith('.js')
    ? [...readFileSync(new URL(file, directory), 'utf8').matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)]
    : []
  return [file, ...imported.flatMap(([, name]) => withImports(`assets/${name}`, seen))]
}

const total = (files) => files.reduce((sum, file) => sum + size(file), 0)

const entries = [
  ['first load of the feature list', total(first), limits.first],
  ['style sheets of it', total(first.filter((file) => file.endsWith('.css'))), limits.css],
  ...assets
    .filter((file) => file.endsWith('.js') && !first.includes(file))
    .map((file) => [file, size(file), limits.chunk])
]
for (const [name, bytes, limit] of entries) {
  console.log(`${(bytes / KIB).toFixed(1).padStart(7)} of ${limit / KIB} KiB  ${name}`)
}
const over = entries.filter(([, bytes, limit]) => bytes > limit)
if (over.length > 0) {
  console.error(`too large: ${over.map(([name]) => name).join(', ')}`)
  process.exitCode = 1
}
