// Adds to a package-lock.json the optional packages of other platforms that npm left out.
//
// npm leaves an optional package out of the lockfile when the registry at hand does not offer it, and `npm ci` then
// refuses that lockfile. Each such package is pinned by the one that asks for it, so its entry can be written without
// asking a registry; npm adds the integrity when it first meets the package. Run it after `npm install`:
//
//   node scripts/completeLockfile.mjs [--check] [package-lock.json …]
//
// With --check it writes nothing and fails if a package is missing.
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

/** The platform that a package's name ends with, as in `@biomejs/cli-linux-x64-musl`. */
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

/** Where npm would find `name` from inside the package at `place`. */
function find(packages, place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const candidate = at ? `${at}/node_modules/${name}` : `node_modules/${name}`
    if (packages[candidate]) return candidate
    if (!at) return undefined
  }
}

/** Adds the missing packages to `lock` and returns them as `name@version`. */
function complete(lock) {
  const added = []
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (find(lock.packages, place, name) || !/^\d/.test(version)) continue
      const flags = entry.dev ? { dev: true, optional: true } : { optional: true }
      lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), ...flags }
      added.push(`${name}@${version}`)
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  return added
}

const check = process.argv.includes('--check')
const files = process.argv.slice(2).filter((argument) => argument !== '--check')
for (const file of files.length === 0 ? ['package-lock.json'] : files) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const added = complete(lock)
  if (!check) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  else if (added.length > 0) process.exitCode = 1
  const verb = check ? 'lacks' : 'gained'
  console.log(added.length === 0 ? `${file} is complete` : `${file} ${verb} ${added.length}: ${added.join(', ')}`)
}
