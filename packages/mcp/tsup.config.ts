import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', main: 'src/main.ts', settings: 'src/settings/toolSettings.ts' },
  format: 'esm',
  target: 'node20',
  dts: false,
  sourcemap: true,
  // Private workspaces are never published.
  noExternal: ['@burgee/kit', '@burgee/sign-in'],
  clean: true
})
