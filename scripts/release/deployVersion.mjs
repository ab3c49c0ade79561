// Writes the version of the server into the files of deploy/ and the documentation: the tag of its image, and the versions
// of the Helm chart.
// Part of `npm run bump`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../../packages/server/package.json', import.meta.url), 'utf8'))

const docs = ['guides/edge.md', 'operations/deployment.md'].map((name) => join(deploy, '../docs', name))
const files = readdirSync(deploy, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))

for (const file of [...files, ...docs]) {
  const text = readFileSync(file, 'utf8')
  const next = text.replace(/(\bburgee:|^(?:version|appVersion): )\d+\.\d+\.\d+[\w.-]*/gm, `$1${version}`)
  if (next !== text) writeFileSync(file, next)
}
