// Runs the jobs of the pipeline against a server: plan on a branch, apply on main, with the identities of the jobs.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@burgee/contract/client'
import { parseOptions, startServer } from '@burgee/server'
import { startIssuer } from './issuer.mjs'

const burgee = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@burgee/cli/package.json')))
const issuer = await startIssuer()
const settings = ['--store', 'memory:', '--port', '0', '--log-level', 'error']
const server = await startServer(parseOptions(settings, { BURGEE_ALLOWED_PRIVATE_TARGETS: '127.0.0.1' }))
const folder = await mkdtemp(join(tmpdir(), 'burgee-gitops-'))

/** Runs a command in a job on a branch, which has an identity and no secret. */
function run(branch, ...args) {
  const env = {
    PATH: process.env.PATH,
    BURGEE_URL: server.url,
    BURGEE_CONFIG_DIR: folder,
    BURGEE_TRUST: branch === 'main' ? 'flags-apply' : 'flags-plan',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?ref=refs/heads/${branch}`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'given-to-the-job',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: '3f2c1d9'
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [burgee, ...args], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr })
    })
  })
}

try {
  await cp(new URL('flags', import.meta.url), join(folder, 'flags'), { recursive: true })
  const owner = createClient({ baseUrl: server.url, credentials: server.administrator })
  await owner.createProject({ body: { key: 'shop', name: 'Shop' } })
  const repository = { claim: 'repository_id', op: 'equals', value: '70107786' }
  const main = { claim: 'ref', op: 'equals', value: 'refs/heads/main' }
  for (const [key, conditions, role] of [
    ['flags-plan', [repository], 'viewer'],
    ['flags-apply', [repository, main], 'publisher']
  ]) {
    const grants = { projects: ['shop'], role }
    await owner.createWorkloadTrust({
      body: { key, name: key, issuer: issuer.url, audience: server.url, conditions, grants }
    })
  }

  const plan = await run('new-checkout', 'plan', 'flags', '--detailed-exit-code', '--output', 'table')
  console.log(plan.stdout)
  assert.equal(plan.code, 1, plan.stderr)
  assert.match(plan.stdout, /\+ features\.new-checkout/)

  // The identity of a branch cannot apply, whatever trust it names.
  assert.equal((await run('new-checkout', 'apply', 'flags', '--yes')).code, 4)

  const applied = await run('main', 'apply', 'flags', '--yes', '--output', 'table')
  console.log(applied.stdout)
  assert.equal(applied.code, 0, applied.stderr)
  assert.equal((await run('main', 'plan', 'flags', '--detailed-exit-code')).code, 0)

  // A person turns it on in production, which the file leaves to people, and changes a name, which it does not.
  const params = { project: 'shop', feature: 'new-checkout' }
  const everybody = {
    name: 'Everybody',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'short', percentage: 1 }]
  }
  const production = { status: 'active', targets: [everybody] }
  await owner.updateFeature({ params, body: { configurations: { production } } })
  assert.equal((await run('main', 'plan', 'flags', '--detailed-exit-code')).code, 0)
  await owner.updateFeature({ params, body: { name: 'By hand' } })
  const drift = await run('new-checkout', 'plan', 'flags', '--drift', 'fail', '--markdown')
  console.log(drift.stdout)
  assert.equal(drift.code, 1, drift.stderr)
  assert.match(drift.stdout, /name: By hand → New checkout {2}\(changed by hand since it was applied\)/)

  // Pulling takes the name over into the file, and keeps its comments.
  const file = join(folder, 'flags/checkout.yaml')
  assert.equal((await run('new-checkout', 'pull', 'flags')).code, 0)
  const text = await readFile(file, 'utf8')
  assert.match(text, /name: By hand/)
  assert.match(text, /# Production is left out/)
  await writeFile(file, text.replace('short: 20%, long: 80%', 'short: 60%, long: 40%'))
  assert.equal((await run('main', 'apply', 'flags', '--yes')).code, 0)
  const { configurations } = await owner.getFeature({ params })
  assert.ok(configurations.some(({ targets }) => targets[1]?.distribution[0].percentage === 0.6))
  const [entry] = await owner.listAuditEntries({ query: { project: 'shop' } })
  assert.deepEqual([entry.actor, entry.idp_user, entry.source], ['workload', 'ci:flags-apply', 'cli'])
  console.log('The project is as the files describe it, and the audit log names the job.')
} finally {
  await server.close()
  issuer.close()
  await rm(folder, { recursive: true, force: true })
}
