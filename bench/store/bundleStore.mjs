import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Bundles the store, which the server does not export, into a folder, and imports it. */
export async function bundleStore(folder) {
  const { build } = await import('esbuild')
  const source = (name) => fileURLToPath(new URL(`../../packages/server/src/${name}.ts`, import.meta.url))
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
  const common = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: { js },
    logLevel: 'error'
  }
  await build({ ...common, entryPoints: [source('storage/open/openStore')], outfile: join(folder, 'store.mjs') })
  await build({ ...common, entryPoints: [source('compactionProgram')], outfile: join(folder, 'compaction.mjs') })
  const { openStore } = await import(pathToFileURL(join(folder, 'store.mjs')))
  return { openStore, compactionProgram: pathToFileURL(join(folder, 'compaction.mjs')) }
}
