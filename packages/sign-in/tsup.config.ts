import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  target: 'node20',
  dts: false,
  // Private workspaces are never published.
  noExternal: ['@burgee/kit'],
  clean: true
})
