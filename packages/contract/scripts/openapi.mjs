// Writes docs/openapi.json from the contract. A test fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenApiDocument } from '../dist/openapi.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const document = await createOpenApiDocument(version, 'http://127.0.0.1:8080')
writeFileSync(new URL('../../../docs/openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
