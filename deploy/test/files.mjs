// Checks the files of deploy/ with the programs that read them.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testHelm } from './helm.mjs'
import { deploy, isInstalled, run, work } from './support.mjs'

/** Checks the files of each program that is installed. */
export async function testFiles(report) {
  const passes = async (title, command, args) => {
    if (!isInstalled(command)) return report.skip(title, `${command} is not installed`)
    await report.check(title, async () => {
      const { code, stdout, stderr } = await run(command, args, { cwd: deploy })
      assert.equal(code, 0, `${stdout}${stderr}`)
    })
  }
  await passes('prometheus: the rules are valid', 'promtool', ['check', 'rules', 'prometheus/alerts.yml'])
  await passes('prometheus: the alerts fire when they should', 'promtool', [
    'test',
    'rules',
    'prometheus/alerts.test.yml'
  ])
  await passes('systemd: the exposure of the service is below 2', 'systemd-analyze', [
    'security',
    '--offline=true',
    '--threshold=20',
    'systemd/burgee.service'
  ])
  await testCompose(report)
  await testEdgeExample(report)
  await testKubernetes(report, await testHelm(report))
}

async function testCompose(report) {
  const title = 'compose: the file is valid'
  const [command, ...first] = isInstalled('docker-compose') ? ['docker-compose'] : ['docker', 'compose']
  if (!isInstalled(command) || (await run(command, [...first, 'version'])).code !== 0) {
    return report.skip(title, 'docker compose is not installed')
  }
  await report.check(title, async () => {
    const file = join(work, 'compose.yaml')
    const env = join(work, 'compose.env')
    // Version 1 of the program does not know the member `name`.
    writeFileSync(file, readFileSync(join(deploy, 'compose/compose.yaml'), 'utf8').replace(/^name: .*$/m, ''))
    writeFileSync(env, readFileSync(join(deploy, 'compose/example.env'), 'utf8').replace(/=$/gm, '=value'))
    const { code, stderr } = await run(command, [...first, '--env-file', env, '-f', file, 'config', '--quiet'])
    assert.equal(code, 0, stderr)
  })
}

/** The image can write to its volume only. */
async function testEdgeExample(report) {
  await report.check('compose: the example of an edge node has the image and the volume of the others', () => {
    const guide = readFileSync(join(deploy, '../docs/guides/edge.md'), 'utf8')
    const [, example] = /```yaml\n(.*?)```/s.exec(guide)
    const [, image] = /image: (burgee:\S+)/.exec(readFileSync(join(deploy, 'compose/compose.yaml'), 'utf8'))
    const [, volume] = /^VOLUME (\S+)$/m.exec(readFileSync(join(deploy, 'docker/Dockerfile'), 'utf8'))
    assert.ok(example.includes(`image: ${image}\n`), `the image is ${image}`)
    assert.ok(example.includes(`:${volume}']`), `the volume is ${volume}`)
    assert.ok(example.includes(`BURGEE_CACHE_DIRECTORY: ${volume}/`), `the copies are in ${volume}`)
  })
}

async function testKubernetes(report, rendered) {
  const files = ['burgee.yaml', 'burgee-file-store.yaml', 'burgee-command.yaml', 'network-policy.yaml'].map((name) =>
    join(deploy, 'kubernetes', name)
  )
  files.push(...rendered)
  // The schemas of Kubernetes come with the Python package kubernetes-validate.
  const hasSchemas = isInstalled('python3') && (await run('python3', ['-c', 'import kubernetes_validate'])).code === 0
  if (!hasSchemas)
    return report.skip('kubernetes: the manifests match the schemas', 'kubernetes-validate is not installed')
  for (const file of files) {
    await report.check(`kubernetes: ${file.split('/').at(-1)} matches the schemas`, async () => {
      const { code, stdout, stderr } = await run('python3', ['-m', 'kubernetes_validate', '--strict', file])
      assert.equal(code, 0, `${stdout}${stderr}`)
    })
  }
}
