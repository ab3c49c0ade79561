import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts', 'src/settings.ts'],
  format: 'esm',
  target: 'node20',
  dts: false,
  sourcemap: true,
  // Private workspaces are never published.
  noExternal: ['@burgee/kit', '@burgee/sign-in'],
  clean: true
})
