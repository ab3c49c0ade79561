import { fileURLToPath } from 'node:url'
import { run } from './processes.mjs'

/**
 * The suite in its two versions: the stable one ends at revision 2025-11-25, the other one has all of them, and checks
 * more.
 */
const suites = [
  { name: 'suite 0.1, up to 2025-11-25', from: '@modelcontextprotocol/conformance', flags: [] },
  { name: 'suite 0.2, 2025-11-25', from: 'conformance-next', flags: ['--spec-version', '2025-11-25'] },
  { name: 'suite 0.2, 2026-07-28', from: 'conformance-next', flags: ['--spec-version', '2026-07-28'] }
]

/** The maximal number of runs: the suite expects some responses within half a second, which a busy machine can miss. */
const ATTEMPTS = 2

/**
 * Runs every scenario; returns the failures. Expected failures are in `expected/{kind}.yaml`: an unlisted failure, an
 * unlisted warning, and a listed scenario that passes are failures.
 */
export async function runSuites(kind, url) {
  const failures = []
  for (const { name, from, flags } of suites) {
    const program = here(`node_modules/${from}/dist/index.js`)
    const expected = here(`expected/${kind}.yaml`)
    const given = ['server', '--url', url, '--suite', 'all', ...flags, '--expected-failures', expected]
    let isFine = false
    for (let attempt = 1; attempt <= ATTEMPTS && !isFine; attempt++) {
      const { code, output } = await run(process.execPath, [program, ...given])
      const [, passed, failed] = /^Total: (\d+) passed, (\d+) failed$/m.exec(output) ?? []
      isFine = code === 0 && Number(passed) > 0
      const summary = `${passed} passed, ${failed} failed${isFine ? ' as expected' : ''}`
      console.log(`${isFine ? '✓' : '✗'} ${kind}, ${name}: ${summary}`)
      if (!isFine) console.log(output)
    }
    if (!isFine) failures.push(`${kind}, ${name}`)
  }
  return failures
}

/**
 * Checks the metadata of the authorization server; returns the failures. The other checks of the suite need a person.
 */
export async function runAuthorizationSuite(url) {
  const name = 'authorization server, suite 0.2'
  const given = ['authorization', '--url', url, '--scenario', 'authorization-server-metadata-endpoint']
  const { code, output } = await run(process.execPath, [here('node_modules/conformance-next/dist/index.js'), ...given])
  const isFine = code === 0 && /^Passed: (\d+)\/\1, 0 failed, 0 warnings$/m.test(output)
  console.log(`${isFine ? '✓' : '✗'} ${name}`)
  if (isFine) return []
  console.log(output)
  return [name]
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
