import { cp } from 'node:fs/promises'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts', 'src/sandboxProgram.ts'],
  format: 'esm',
  target: 'node20',
  dts: false,
  // Private workspaces are never published.
  noExternal: ['@burgee/kit'],
  sourcemap: true,
  clean: true,
  // The server serves the documentation at `/docs`.
  onSuccess: async () => {
    const pages = ['README.md', 'language.md', 'get-started', 'guides', 'reference', 'operations']
    await Promise.all(pages.map((page) => cp(`../../docs/${page}`, `dist/docs/${page}`, { recursive: true })))
  }
})
