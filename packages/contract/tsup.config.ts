import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/client.ts', 'src/openapi.ts', 'src/schemas.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true
})
