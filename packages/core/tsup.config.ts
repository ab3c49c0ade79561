import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/text.ts', 'src/testing/index.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  clean: true,
  // To load a CommonJS package takes Node.js longer than all of core. Its licence is in THIRD_PARTY_LICENSES.
  noExternal: ['fast-json-stable-stringify']
})
