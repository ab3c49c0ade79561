import { cp } from 'node:fs/promises'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/dev.ts',
    'src/main.ts',
    'src/sandboxProgram.ts',
    'src/compactionProgram.ts',
    'src/backupProgram.ts',
    'src/workerProgram.ts'
  ],
  format: 'esm',
  target: 'node20',
  dts: false,
  // Private workspaces are never published. A server needs a small part of kysely, whose license is in THIRD_PARTY_LICENSES.
  noExternal: ['@burgee/kit', 'kysely'],
  sourcemap: true,
  clean: true,
  // The server serves the documentation at `/docs`.
  onSuccess: async () => {
    await cp('../../docs', 'dist/docs', { recursive: true, filter: (path) => !path.endsWith('openapi.json') })
  }
})
