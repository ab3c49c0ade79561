// Prevents a release if a manifest lacks `repository`, which the registry needs for provenance.
//
// npm verifies provenance against `repository`, and would reject a package without it after others have been published.
//
//   npm run release
import { published } from '../packages/published.mjs'

const missing = published.filter(({ manifest: { repository } }) => !(repository?.url ?? repository))

for (const { directory, name } of missing) {
  console.error(`packages/${directory}/package.json: "repository" is not set, so ${name} cannot be published`)
}
if (missing.length > 0) {
  console.error('\nSet it in every package to the address of this repository, and the folder of the package:\n')
  console.error('  "repository": { "type": "git", "url": "git+https://…/burgee.git", "directory": "packages/core" }\n')
  console.error('docs/operations/releasing.md describes a release.')
  process.exitCode = 1
}
