import { readFileSync } from 'node:fs'
import { type Operation, operations } from '@burgee/contract'
import { operationTable } from '@burgee/contract/client'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Runs before the first paint: a script of its own, because the content security policy forbids inline scripts. */
function themeScript(): Plugin {
  let reference: string
  return {
    name: 'theme-script',
    apply: 'build',
    buildStart() {
      const source = readFileSync(new URL('src/theme/theme.js', import.meta.url), 'utf8')
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const theme = Object.values(bundle ?? {}).find(({ fileName }) => /theme-.*\.js$/.test(fileName))
        if (!theme) throw new Error(`the theme script ${reference} is not among the built files`)
        return [{ tag: 'script', attrs: { src: `/${theme.fileName}` }, injectTo: 'head-prepend' }]
      }
    }
  }
}

/** The operations of the management API as data, so that the page loads neither their schemas nor zod. */
function operationsModule(): Plugin {
  const id = 'virtual:operations'
  const table = operationTable(operations).filter(({ credential }) => credential.type === 'token')
  return {
    name: 'operations',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}`
        ? `export const table = ${JSON.stringify(table)}\nexport const readsOf = ${JSON.stringify(readsByWrite())}`
        : undefined
  }
}

/** The reads whose response is the same resource as that of a write, by write. */
function readsByWrite(): Readonly<Record<string, readonly string[]>> {
  const all: readonly Operation[] = Object.values(operations)
  const reads = all.filter(({ method, responseKind }) => method === 'GET' && responseKind === undefined)
  const pairs = all
    .filter(({ method }) => method !== 'GET' && method !== 'DELETE')
    .map(({ id, response }) => [id, reads.filter((read) => read.response === response).map((read) => read.id)] as const)
  return Object.fromEntries(pairs.filter(([, ids]) => ids.length > 0))
}

/** Whether a module is small and on most pages: an icon, a field, a table. Dialogs and editors load on demand. */
const isSmallComponent =
  /node_modules\/lucide-react\/|src\/(api|shell)\/|src\/components\/(access\/\w*[pP]ermission\w*|(?!Dialog)\w+)\.(tsx?|module\.css)/

export default defineConfig({
  plugins: [react(), operationsModule(), themeScript()],
  build: {
    outDir: 'dist/public',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Small components of many pages are one file: the browser requests six files at a time.
        advancedChunks: { groups: [{ name: 'components', test: isSmallComponent, minShareCount: 4 }] }
      }
    },
    chunkSizeWarningLimit: 600
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } }
})
