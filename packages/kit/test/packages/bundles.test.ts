import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const packages = fileURLToPath(new URL('../../..', import.meta.url))

const published = readdirSync(packages)
  .filter((name) => existsSync(join(packages, name, 'package.json')))
  .map((name) => ({ name, manifest: JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private)

describe.each(published)('packages/$name', ({ name, manifest }) => {
  const dist = join(packages, name, 'dist')
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' })

  // Sources may import private workspaces, which the build bundles. Published files may not.
  it('imports only the dependencies of its manifest, once it is built', async () => {
    expect(existsSync(dist), 'npm run build creates the files that this test reads').toBe(true)
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => join(dist, file))
    const scripts = files.filter((file) => file.endsWith('.js'))
    const imported = [
      ...(await importsOf(scripts)),
      ...files.filter((file) => file.endsWith('.d.ts')).flatMap((file) => typeImportsOf(readFileSync(file, 'utf8')))
    ]
    const foreign = new Set(imported.map(packageOf).filter((one) => !isBuiltin(one) && !installed.includes(one)))
    expect([...foreign]).toEqual([])
  })
})

/** Returns the external imports of JavaScript files. */
async function importsOf(entryPoints: string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    splitting: true,
    write: false,
    outdir: packages,
    metafile: true,
    logLevel: 'error'
  })
  return Object.values(metafile.outputs).flatMap(({ imports }) => {
    return imports.filter(({ external }) => external).map(({ path }) => path)
  })
}

function typeImportsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
  const specifiers = [...code.matchAll(/(?:^import |\bfrom |\bimport\()['"]([^'"]+)['"]/gm)].map(([, one = '']) => one)
  return specifiers.filter((one) => !one.startsWith('.'))
}

/** Returns the package of a specifier: `@scope/name/path` is `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
