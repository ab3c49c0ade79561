// Writes a software bill of materials for each published package: CycloneDX 1.6 in sbom/<package>-<version>.cdx.json.
//
// It is made from package-lock.json, so the same commit gives the same bytes on every machine: there is no time, no
// random serial number, and no path of a machine. `npm sbom` cannot do that, and refuses workspaces without a version.
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { dependenciesOf, lock } from '../dependencies/lockfile.mjs'
import { published } from '../packages/published.mjs'
import { validateSbom } from './validateSbom.mjs'

/** The packages that are bundled into published packages that have them as development dependencies, by name. */
const bundled = {
  '@burgee/kit': 'packages/kit',
  '@burgee/sign-in': 'packages/sign-in',
  'fast-json-stable-stringify': 'node_modules/fast-json-stable-stringify',
  kysely: 'node_modules/kysely'
}

/** Returns the bill of materials of a published package. */
function createSbom({ name, directory, manifest }) {
  const root = `packages/${directory}`
  const own = Object.keys(manifest.devDependencies ?? {}).flatMap((name) => bundled[name] ?? [])
  const bundledPackages = own.map((path) => ({ path, isOptional: false }))
  const directOf = (path) => [...dependenciesOf(path), ...(path === root ? bundledPackages : [])]
  const edges = new Map(reach(root, directOf).map((path) => [path, directOf(path).map((direct) => direct.path)]))
  const required = new Set(reach(root, (path) => directOf(path).filter(({ isOptional }) => !isOptional)))
  const self = toComponent(root, true)
  // A package can be at several paths: it is required if one of them is, so required ones come last, and win.
  const others = [...edges.keys()]
    .filter((path) => path !== root)
    .map((path) => toComponent(path, required.has(path)))
    .sort((one, other) => (one.scope < other.scope ? -1 : 1))
  const components = sorted(
    unique(others, ({ 'bom-ref': ref }) => ref),
    ({ 'bom-ref': ref }) => ref
  )
  const refOf = (path) => toComponent(path, true)['bom-ref']
  const dependsOn = new Map()
  for (const [path, found] of edges) {
    const ref = refOf(path)
    dependsOn.set(ref, new Set([...(dependsOn.get(ref) ?? []), ...found.map(refOf)]))
  }
  const dependencies = [...dependsOn].map(([ref, refs]) => ({ ref, dependsOn: [...refs].sort() }))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...self, type: name === '@burgee/server' ? 'application' : 'library' }
    },
    components,
    dependencies: sorted(dependencies, ({ ref }) => ref)
  }
}

/** Returns the paths that can be reached from a package. */
function reach(root, directOf) {
  const paths = new Set([root])
  for (const path of paths) for (const direct of directOf(path)) paths.add(direct.path)
  return [...paths]
}

/** `scope` is optional for packages without which the published package runs, as those of an optional peer. */
function toComponent(path, isRequired) {
  const { name: given, version, integrity, license } = lock.packages[path]
  const full = given ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full]
  const purl = `pkg:npm/${full.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name,
    version,
    scope: isRequired ? 'required' : 'optional',
    ...(integrity ? { hashes: [{ alg: 'SHA-512', content: toHex(integrity) }] } : {}),
    ...(license ? { licenses: [toLicense(license)] } : {}),
    purl
  }
}

/** An SPDX id, an SPDX expression, or another text, which CycloneDX calls a name. */
function toLicense(license) {
  if (/^[\w.+-]+$/.test(license)) return { license: { id: license } }
  return / (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { name: license } }
}

function toHex(integrity) {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
}

function unique(items, keyOf) {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

function sorted(items, keyOf) {
  return [...items].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

const USAGE = `Usage:
  node scripts/release/sbom.mjs [folder]    writes the files; the folder is sbom if omitted
  node scripts/release/sbom.mjs --check     writes nothing; fails if a document is not valid`

/** Reads the arguments. Ends the process for --help, and for arguments that are not known. */
function readArguments() {
  try {
    const options = { check: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } }
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    if (positionals.length > (values.check ? 0 : 1)) throw new Error(`Unexpected argument '${positionals.at(-1)}'`)
    return { check: values.check, folder: positionals[0] ?? 'sbom' }
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    process.exit(2)
  }
}

const { check, folder } = readArguments()
if (!check) mkdirSync(folder, { recursive: true })
for (const one of published) {
  const sbom = createSbom(one)
  const text = `${JSON.stringify(sbom, null, 2)}\n`
  const issues = validateSbom(JSON.parse(text))
  for (const issue of issues) console.error(`the bill of materials of ${one.name}: ${issue}`)
  if (issues.length > 0) process.exitCode = 1
  else if (!check)
    writeFileSync(`${folder}/${one.name.replace('@', '').replace('/', '-')}-${one.manifest.version}.cdx.json`, text)
  const optional = sbom.components.filter(({ scope }) => scope === 'optional').length
  if (issues.length === 0) {
    console.log(`${one.name}: ${sbom.components.length - optional} components, ${optional} optional`)
  }
}
