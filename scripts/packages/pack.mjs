// Packs the package of the working directory: the tarball is `packed/package.tgz`, and what npm says about it
// `packed/pack.json`. The `package` scripts check the tarballs, and scripts/packages/packed.mjs installs them.
//
//   npm run package -w @burgee/core
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'packed'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' })
const [result] = Object.values(JSON.parse(output))
renameSync(join(folder, result.filename), join(folder, 'package.tgz'))
writeFileSync(join(folder, 'pack.json'), JSON.stringify(result))
