// Renders the Helm chart with values that it should accept, and with values that it should refuse.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { deploy, isInstalled, run, work } from './support.mjs'

const chart = join(deploy, 'helm/burgee')
const required = { publicUrl: 'https://flags.example.com', existingSecret: 'burgee' }
const postgres = { ...required, store: { url: 'postgres://burgee@db/burgee' } }
const file = { ...required, store: { type: 'file' } }
const admitted = [{ podSelector: { matchLabels: { app: 'ingress' } } }]

const accepted = {
  postgres,
  file,
  ingress: {
    ...postgres,
    ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'burgee-tls' },
    networkPolicy: { enabled: true, api: admitted, metrics: admitted }
  },
  volumes: {
    ...postgres,
    cache: { hostPath: { path: '/var/cache/burgee' } },
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/burgee/ca' }]
  },
  scheduling: {
    ...file,
    store: { type: 'file', size: '20Gi', storageClassName: 'fast' },
    image: { repository: 'registry.example.com/burgee', tag: '1.2.3', pullPolicy: 'Always' },
    imagePullSecrets: [{ name: 'registry' }],
    resources: { limits: { memory: '2Gi' } },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    settings: { BURGEE_MCP: true },
    global: {}
  }
}

const refused = {
  'no public URL': [{ ...postgres, publicUrl: '' }, /publicUrl is required/],
  'a public URL without a scheme': [{ ...postgres, publicUrl: 'flags.example.com' }, /publicUrl/],
  'no secret': [{ ...postgres, existingSecret: '' }, /existingSecret is required/],
  'no address of the database': [required, /store\.url is required/],
  'a password in the address of the database': [
    { ...required, store: { url: 'postgres://burgee:secret@db/burgee' } },
    /store\.url should have no password/
  ],
  'a password in the query of the address': [
    { ...required, store: { url: 'postgres://db/burgee?user=burgee&password=secret' } },
    /store\.url should have no password/
  ],
  'an unknown store': [{ ...required, store: { type: 'sqlite' } }, /sqlite|store\.type/],
  'several servers with a directory': [{ ...file, replicas: 2 }, /replicas should be 0 or 1/],
  'a setting that the chart sets': [
    { ...postgres, settings: { BURGEE_STORE: 'file:/data' } },
    /settings should not have BURGEE_STORE/
  ],
  'a network policy that admits everyone': [
    { ...postgres, networkPolicy: { enabled: true } },
    /networkPolicy\.api is required/
  ],
  'an unknown value': [{ ...postgres, resorces: {} }, /resorces/]
}

/** Tests the chart, and returns the paths of the manifests that it rendered. */
export async function testHelm(report) {
  if (!isInstalled('helm')) {
    report.skip('helm', 'helm is not installed')
    return []
  }
  const paths = []
  for (const [name, values] of Object.entries(accepted)) {
    await report.check(`helm: the chart passes lint and renders with ${name}`, async () => {
      const linted = await helm('lint', values, '--strict')
      assert.equal(linted.code, 0, `${linted.stdout}${linted.stderr}`)
      const path = join(work, `helm-${name}.yaml`)
      writeFileSync(path, await render(values))
      paths.push(path)
    })
  }
  for (const [name, [values, message]] of Object.entries(refused)) {
    await report.check(`helm: the chart refuses ${name}`, async () => {
      const { code, stderr } = await helm('template', values)
      assert.notEqual(code, 0, 'it was rendered')
      assert.match(stderr, message)
    })
  }
  await report.check('helm: the number of servers', async () => {
    const replicasWith = async (values) => (await workload(values)).spec.replicas
    assert.equal(await replicasWith(postgres), 2)
    assert.equal(await replicasWith({ ...postgres, replicas: 3 }), 3)
    assert.equal(await replicasWith(file), 1)
    for (const values of [postgres, file]) assert.equal(await replicasWith({ ...values, replicas: 0 }), 0)
  })
  await report.check('helm: settings keep their text', async () => {
    const settings = { BURGEE_MAX_STREAMS: 20_000_000, BURGEE_MCP: true, BURGEE_OIDC_SCOPES: 'openid, "email"' }
    const { data } = (await objects({ ...postgres, settings })).find(({ kind }) => kind === 'ConfigMap')
    for (const [name, value] of Object.entries(settings)) assert.equal(data[name], String(value))
  })
  await report.check(
    'helm: no other value than the size of the volume changes what an upgrade cannot change',
    async () => {
      for (const values of [postgres, file]) {
        const before = await workload(values)
        const after = await workload({ ...accepted.scheduling, ...values, replicas: 0 })
        assert.notDeepEqual(after.spec.template, before.spec.template)
        assert.deepEqual(fixed(after), fixed(before))
      }
    }
  )
  return paths
}

/** Returns the members that Kubernetes refuses to change. */
function fixed({ kind, metadata, spec }) {
  return { kind, name: metadata.name, ...spec, replicas: 0, template: 0, strategy: 0 }
}

async function workload(values) {
  return (await objects(values)).find(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
}

async function objects(values) {
  // Repeated members are errors.
  return parseAllDocuments(await render(values), { uniqueKeys: true }).map((document) => {
    assert.deepEqual(document.errors, [])
    return document.toJS()
  })
}

async function render(values) {
  const { code, stdout, stderr } = await helm('template', values)
  assert.equal(code, 0, stderr)
  return stdout
}

async function helm(command, values, ...more) {
  const path = join(work, 'values.json')
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(values))
  const release = command === 'template' ? ['burgee'] : []
  return await run('helm', [command, ...release, chart, '--values', path, ...more])
}
