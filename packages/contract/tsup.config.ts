import { defineConfig } from 'tsup'
import manifest from './package.json' with { type: 'json' }

const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'string' ? [] : [entry.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')]
)

export default defineConfig({
  // The table client is an entry of the build, though not of the package, so that the modules that it needs are not in
  // one chunk with the records.
  entry: [...entries, 'src/client/tableClient.ts'],
  format: 'esm',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  clean: true
})
