import { readFileSync, writeFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/text.ts', 'src/testing/index.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true,
  // To load a CommonJS package takes Node.js longer than all of core. Its licence is in THIRD_PARTY_LICENSES.
  noExternal: ['fast-json-stable-stringify'],
  plugins: [
    {
      // Source maps are for programs of this repository, and are not published: bundlers would report that they are missing.
      name: 'unreferenced source maps',
      buildEnd: ({ writtenFiles }) => {
        for (const { name } of writtenFiles.filter((file) => file.name.endsWith('.js'))) {
          writeFileSync(name, readFileSync(name, 'utf8').replace(/\/\/# sourceMappingURL=\S+\s*$/, ''))
        }
      }
    }
  ]
})
