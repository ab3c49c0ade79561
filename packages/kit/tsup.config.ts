import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/files.ts',
    'src/obfuscatedKey.ts',
    'src/rateLimiter.ts',
    'src/settings/index.ts',
    'src/settings/commandLine.ts',
    'src/text/index.ts'
  ],
  format: 'esm',
  target: 'es2022',
  dts: false,
  clean: true
})
