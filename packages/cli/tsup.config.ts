import { writeFile } from 'node:fs/promises'
import { operations } from '@burgee/contract'
import { defineConfig } from 'tsup'
import { projectSchema } from './src/document/jsonSchema.ts'
import { describeOperations } from './src/manifest/describeOperations.ts'
import { reservedFlags } from './src/operations/reservedFlags.ts'

export default defineConfig({
  entry: ['src/main.ts'],
  format: 'esm',
  target: 'node20',
  dts: false,
  sourcemap: true,
  // The commands of the operations as data, so that help and completion load neither the records nor zod.
  define: { MANIFEST: JSON.stringify(JSON.stringify(describeOperations(operations, reservedFlags))) },
  // Private workspaces are never published.
  noExternal: ['@burgee/kit', '@burgee/sign-in', /^@burgee\/contract\/(client|words)$/],
  clean: true,
  // Editors check files by it.
  onSuccess: () => writeFile('dist/project.schema.json', `${JSON.stringify(projectSchema(), null, 2)}\n`)
})
