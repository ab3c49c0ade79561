// Writes a Brotli and a gzip copy beside each text file of the build, so that the server compresses nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const directory = new URL('../dist/public/', import.meta.url)
for (const file of readdirSync(directory, { recursive: true })) {
  if (!/\.(js|css|svg|html)$/.test(file)) continue
  const path = new URL(file, directory)
  const content = readFileSync(path)
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  writeFileSync(`${path.pathname}.br`, brotliCompressSync(content, { params: parameters }))
  writeFileSync(`${path.pathname}.gz`, gzipSync(content, { level: 9 }))
}
