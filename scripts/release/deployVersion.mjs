// Writes the version of the server into the files of deploy/: the tag of its image, and the versions of the Helm chart.
// Part of `npm run bump`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../../packages/server/package.json', import.meta.url), 'utf8'))

for (const entry of readdirSync(deploy, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = join(entry.parentPath, entry.name)
  const text = readFileSync(file, 'utf8')
  const next = text.replace(/(\bburgee:|^(?:version|appVersion): )\d+\.\d+\.\d+[\w.-]*/gm, `$1${version}`)
  if (next !== text) writeFileSync(file, next)
}
