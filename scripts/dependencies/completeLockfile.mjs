// Adds to a package-lock.json the optional packages of other platforms that npm left out.
//
// npm omits an optional package from the lockfile if the registry in use does not have it, and `npm ci` then rejects
// the lockfile. The dependent package pins the exact version, so the entry can be written without a registry; npm adds
// the integrity when it first installs the package. Run this after `npm install`:
//
//   node scripts/dependencies/completeLockfile.mjs [--check | --integrity] [package-lock.json …]
//
// With --check it writes nothing, and fails if a package is missing or lacks a SHA-512 `integrity`. Tools of other
// platforms may lack it until the script runs with --integrity and a registry that has them.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const systems = { windows: 'win32' }
const knownSystems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
  'win32'
]
const processors = { 64: 'x64', armv7: 'arm' }
const knownProcessors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Returns the platform in a package's name, for example `@biomejs/cli-linux-x64-musl`. */
function platformOf(name) {
  const words = name.split(/[-/]/)
  const os = words.map((word) => systems[word] ?? word).find((word) => knownSystems.includes(word))
  const cpu = words.map((word) => processors[word] ?? word).find((word) => knownProcessors.includes(word))
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os ? { os: [os] } : {}),
    ...(libc && os === 'linux' ? { libc: [libc] } : {})
  }
}

/** Returns the path at which Node.js resolves `name` from the package at `path`; undefined if it is missing. */
function findPackage(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const candidate = at ? `${at}/node_modules/${name}` : `node_modules/${name}`
    if (packages[candidate]) return candidate
    if (!at) return undefined
  }
}

/** Adds the missing packages to `lock` and returns them as `name@version`. */
function complete(lock) {
  const added = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (findPackage(lock.packages, path, name) || !/^\d/.test(version)) continue
      const flags = entry.dev ? { dev: true, optional: true } : { optional: true }
      lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), ...flags }
      added.push(`${name}@${version}`)
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  return added
}

/** Lists the packages outside of the workspaces without a SHA-512 integrity: path and entry. */
function withoutIntegrity(lock) {
  return Object.entries(lock.packages).filter(([path, { version, link, integrity = '' }]) => {
    return path.includes('node_modules/') && version && !link && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)
  })
}

/** Whether a package may lack it: a tool for tests and builds on another platform, which nobody has installed yet. */
function isToolElsewhere(file, { optional, os, dev }) {
  const isOfTests = dev === true || /^(e2e|conformance|bench)\//.test(file)
  return optional === true && os !== undefined && isOfTests
}

/** Adds the integrity of packages that the registry has, and returns the others. */
function addIntegrity(lock) {
  return withoutIntegrity(lock).filter(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    try {
      const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
      entry.integrity = execFileSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], options).trim()
    } catch {
      return true
    }
    return !entry.integrity
  })
}

const check = process.argv.includes('--check')
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
for (const file of files.length === 0 ? ['package-lock.json'] : files) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const added = complete(lock)
  if (process.argv.includes('--integrity')) {
    for (const [path] of addIntegrity(lock)) console.error(`${file}: the registry does not have ${path}`)
  }
  if (!check) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  else if (added.length > 0) process.exitCode = 1
  const verb = check ? 'lacks' : 'gained'
  console.log(added.length === 0 ? `${file} is complete` : `${file} ${verb} ${added.length}: ${added.join(', ')}`)
  for (const [path, entry] of check ? withoutIntegrity(lock) : []) {
    if (isToolElsewhere(file, entry)) continue
    process.exitCode = 1
    console.error(
      `${file}: ${path} ${entry.version} has no SHA-512 integrity, so npm would install it without a check. Run npm install with a registry that has it, or node scripts/dependencies/completeLockfile.mjs --integrity ${file}`
    )
  }
}
