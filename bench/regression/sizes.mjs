import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const core = fileURLToPath(new URL('../../packages/core/', import.meta.url))

/** Returns the size of the evaluator for browsers, and what an import of the core loads. */
export async function sizes() {
  const { outputFiles } = await build({
    stdin: { contents: "export { compile } from './dist/index.js'", resolveDir: core },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'burgee',
    target: 'es2022'
  })
  const [{ contents }] = outputFiles
  const { metafile } = await build({
    stdin: { contents: "export * from './dist/index.js'", resolveDir: core },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm'
  })
  const inputs = Object.entries(metafile.inputs).filter(([name]) => name !== '<stdin>')
  return {
    'evaluator for browsers, gzip': gzipSync(contents).length,
    'import of core, modules': inputs.length,
    'import of core, bytes': inputs.reduce((sum, [, { bytes }]) => sum + bytes, 0)
  }
}
