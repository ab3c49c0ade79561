import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts'],
  format: 'esm',
  target: 'node20',
  dts: false,
  // Private workspaces are never published.
  noExternal: ['@burgee/kit'],
  sourcemap: true,
  clean: true
})
