import { join } from 'node:path'
import { type Operation, operations } from '@burgee/contract'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { names, regularName } from '../../src/manifest/commandName.ts'
import { manifest } from '../../src/manifest/manifest.ts'
import type { OperationCommand } from '../../src/manifest/operationCommand.ts'
import { createProgram } from '../../src/program.ts'
import { runHere } from '../support/program.ts'
import { makeWorld, type World } from './world.ts'

const commands = manifest()

test('every operation that takes an access token has one command', () => {
  const expected = Object.values<Operation>(operations)
    .filter(({ credential, isDeprecated, responseKind }) => {
      return credential.type === 'token' && !isDeprecated && responseKind !== 'stream'
    })
    .map(({ id }) => id)
  expect(commands.map(({ row }) => row.id)).toEqual(expected)
  const names = commands.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('each exception from the rules for names is of an operation whose name differs by the rules', () => {
  const known: Readonly<Record<string, Operation>> = operations
  const superfluous = Object.entries(names).filter(([id, name]) => {
    const operation = known[id]
    return operation === undefined || regularName(operation) === name
  })
  expect(superfluous).toEqual([])
})

test('lists of operations are printed whole for programs, and as a table of some members for people', async () => {
  const { stdout } = await runHere(['variables', 'list', '--json'], world.environment)
  expect(JSON.parse(stdout)).toEqual(await world.ask('listVariables'))
  const table = await runHere(['variables', 'list', '-o', 'tsv'], world.environment)
  expect(table.stdout).toMatch(/^key\tname\ttype\t/)
})

it('describes flags by the descriptions of their types', () => {
  const helpOf = (name: string, flag: string) =>
    commands.find((one) => one.name === name)?.flags.find((one) => one.flag === flag)?.help
  expect(helpOf('variations update', '--id')).toBe('The permanent id: 24 hexadecimal characters.')
  expect(helpOf('audiences create', '--filters')).toBe('The users: an object with operator and a list filters.')
})

it('has flags with all choices of the API, booleans of queries, and lists that can be one text', () => {
  const flagOf = (name: string, flag: string) =>
    commands.find((one) => one.name === name)?.flags.find((one) => one.flag === flag)
  expect(flagOf('features update-many', '--action')?.choices).toEqual(
    expect.arrayContaining(['addTags', 'archive', 'kill'])
  )
  expect(flagOf('change-requests create', '--method')?.choices).toEqual(['PATCH'])
  expect(flagOf('features list', '--include-latest-update')?.kind).toBe('boolean')
  expect(flagOf('features list', '--keys')).toMatchObject({ kind: 'text', isList: true })
  expect(flagOf('clients update', '--permissions')).toMatchObject({ kind: 'text', isList: true, isNullable: true })
  expect(flagOf('audit list', '--feature')?.help).toContain('--in-project')
})

it.each(['audiences delete nosuch', 'webhooks delete 65f0c0ffee0123456789abcd', 'environments delete nosuch'])(
  'does not ask to confirm the deletion of what does not exist: burgee %s',
  async (line) => {
    const ask = () => expect.unreachable('no question')
    const { code } = await runHere(line.split(' '), world.environment, { isTerminal: true, ask })
    expect(code).toBe(5)
  }
)

it('names environments by key in tables, and counts lists of objects', async () => {
  const { stdout } = await runHere(['targeting', 'get', 'new-checkout', '-o', 'table'], world.environment)
  expect(stdout).toMatch(/^ENVIRONMENT +STATUS +TARGETS.*\n/)
  expect(stdout).toMatch(/^production +inactive +1\b/m)
})

it('addresses the reader instead of the caller', () => {
  const summaries = commands.map(({ summary }) => summary)
  expect(summaries.filter((summary) => summary.includes('caller'))).toEqual([])
  expect(summaries).toEqual(
    expect.arrayContaining(['Get your user profile', 'List your overrides for a feature', 'Delete all your overrides'])
  )
})

describe('--dry-run', () => {
  const dry = (line: string) => runHere([...line.split(' '), '--dry-run'], world.environment)

  it('prints the request of a creation and sends nothing', async () => {
    const { code, stdout } = await dry(
      'webhooks create --name Log --url https://example.com/secret --events createdFeature'
    )
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        operation: 'createWebhook',
        method: 'POST',
        path: '/v1/projects/shop/webhooks',
        body: { name: 'Log', url: '****', events: ['createdFeature'] }
      }
    ])
    expect(await world.ask('listWebhooks')).toHaveLength(1)
    const created = await runHere(['flags', 'create', 'dry', '--dry-run', '-o', 'table'], world.environment)
    expect(created.stdout).toContain('Nothing was sent. The request would be:\nPOST ')
    expect(created.stdout).toContain('"key": "dry"')
    expect((await dry('features get dry')).code).toBe(2)
  })

  it('asks nothing, and refuses what the API would refuse by its form', async () => {
    expect((await dry('webhooks delete some-id')).code).toBe(0)
    const { code, stderr } = await dry('webhooks create --name Log --url no-address --events createdFeature')
    expect([code, stderr]).toEqual([2, expect.stringContaining('url')])
  })
})

test('commands that write without a question are known: those that change what production gets ask', () => {
  const asking = new Map(createProgram().commands.map(({ name, settings }) => [name, 'yes' in settings]))
  const silent = commands.filter(({ name, row }) => row.method !== 'GET' && !asking.get(name)).map(({ name }) => name)
  expect(silent.sort()).toEqual([
    'audiences create',
    'audiences preview',
    'change-requests cancel',
    'change-requests create',
    'change-requests rebase',
    'change-requests submit',
    'change-requests update',
    'clients create',
    'clients update',
    'code-usages upload',
    'custom-properties create',
    'custom-properties update',
    'environments create',
    'environments explain',
    'features issues link',
    'features preview',
    'features staleness update',
    'features summary',
    'identity update',
    'integrations issue-tracker connect-organization',
    'integrations issue-tracker connect-project',
    'integrations observability set',
    'keys create',
    'management update',
    'manifest create-flag',
    'manifest update-flag',
    'me password',
    'me second-factors add-passkey',
    'me second-factors confirm-app',
    'me second-factors recovery-codes',
    'me second-factors start-app',
    'me second-factors start-passkey',
    'metrics associations create',
    'metrics create',
    'metrics update',
    'organizations settings update',
    'overrides set',
    'project-change-requests cancel',
    'project-change-requests create',
    'project-change-requests rebase',
    'project-change-requests submit',
    'project-change-requests update',
    'projects create',
    'projects protected-settings update',
    'scim-tokens create',
    'trusts create',
    'trusts update',
    'user-signing-secrets create',
    'users create',
    'users update',
    'variables validate',
    'variations create',
    'webhooks create',
    'webhooks deliveries redeliver',
    'webhooks test',
    'webhooks update'
  ])
})

let world: World

beforeAll(async () => {
  world = await makeWorld()
})

/** The exit codes of examples that the server refuses, with the reason. Every other example succeeds. */
const refused: Readonly<Record<string, readonly [code: number, reason: RegExp]>> = {
  confirmAuthenticatorApp: [7, /code/],
  addPasskey: [7, /credential is not valid/],
  replaceRecoveryCodes: [6, /need a second factor/],
  endOwnSession: [5, /session/],
  revokeOwnApplication: [5, /application/],
  deleteSecondFactor: [5, /second factor/],
  revokeWorkloadToken: [5, /there is no token/],
  rebaseChangeRequest: [6, /ERR_FEATURE_UNCHANGED/],
  rebaseProjectChangeRequest: [6, /ERR_FEATURE_UNCHANGED/]
}

/** Commands that a person runs, not a client. */
const isOfPerson = ({ name, row: { id } }: OperationCommand) => {
  return (/^me /.test(name) && id !== 'getSession') || /^review(Project)?ChangeRequest$/.test(id)
}

type Arguments = readonly string[]

/** Arguments in the place of the example's, by the id of the operation: examples of parameters cannot know ids. */
const given: Readonly<Record<string, (example: Arguments) => Promise<Arguments> | Arguments>> = {
  getAuditEntry: withId('entry'),
  createProject: replacing('shop', 'second-shop'),
  deleteProject: replacing('shop', 'second-shop'),
  updateSdkKey: withId('sdkKey'),
  invalidateSdkKey: withId('sdkKey'),
  deleteUserSigningSecret: withId('signingSecret'),
  updateFeatureStatus: replacing('on', 'variation-on'),
  revertFeature: async ([, ...others]) => {
    const [newest] = await world.ask('getFeatureAudit', { params: { feature: 'new-checkout' } })
    return [newest._id, ...others]
  },
  createFeatures: replacing(
    '["new-checkout",{"key":"new-search","name":"New search"}]',
    '["one",{"key":"two","name":"Two"}]'
  ),
  testMetricResults: replacing('control', 'variation-off'),
  getWebhook: withId('webhook'),
  updateWebhook: withId('webhook'),
  getWebhookSecret: withId('webhook'),
  rotateWebhookSecret: withId('webhook'),
  testWebhook: withId('webhook'),
  listWebhookDeliveries: () => ['--webhook', world.ids.webhook ?? ''],
  getWebhookDelivery: delivery,
  redeliverWebhook: delivery,
  deleteWebhook: withId('webhook'),
  createChangeRequest: () => requestOf('search'),
  createProjectChangeRequest: replacing(
    '/v1/projects/payments/settings/protected',
    '/v1/projects/shop/settings/protected'
  ),
  listPendingChangeRequests: () => ['waiting'],
  getLatestChangeRequest: async () => {
    const { _id } = await createRequest('waiting')
    const params = { feature: 'waiting', id: _id }
    await world.ask('submitChangeRequest', { params, body: { description: 'Turn it on.', reviewers: [] } })
    return ['waiting']
  },
  getChangeRequest: request,
  updateChangeRequest: request,
  rebaseChangeRequest: request,
  submitChangeRequest: request,
  reviewChangeRequest: request,
  scheduleChangeRequest: request,
  applyChangeRequest: request,
  cancelChangeRequest: async (example) => {
    const { _id } = await createRequest('short-lived')
    return replacing('instant-payouts', 'short-lived')([_id, ...example.slice(1)])
  },
  getProjectChangeRequest: projectRequest,
  updateProjectChangeRequest: projectRequest,
  rebaseProjectChangeRequest: projectRequest,
  submitProjectChangeRequest: projectRequest,
  reviewProjectChangeRequest: projectRequest,
  scheduleProjectChangeRequest: projectRequest,
  applyProjectChangeRequest: projectRequest,
  cancelProjectChangeRequest: async () => {
    const change = { settings: { featureApprovalWorkflow: { requiredApprovals: 1 } } }
    const body = { path: '/v1/projects/shop/settings/protected', method: 'PATCH', body: change }
    return [(await world.ask('createProjectChangeRequest', { body }))._id]
  }
}

const turnedOn = { configurations: { production: { status: 'active' } } }

async function createRequest(feature: string): Promise<{ readonly _id: string }> {
  const body = { path: `/v2/projects/shop/features/${feature}`, method: 'PATCH', body: turnedOn }
  return world.ask('createChangeRequest', { params: { feature }, body })
}

function requestOf(feature: string): Arguments {
  const path = `/v2/projects/shop/features/${feature}`
  return ['--feature', feature, '--path', path, '--method', 'PATCH', '--change', JSON.stringify(turnedOn)]
}

async function projectRequest([, ...others]: Arguments): Promise<Arguments> {
  const [newest] = await world.ask('listChangeRequests', { query: { scope: 'project' } })
  return [newest._id, ...others]
}

function withId(name: string): (example: Arguments) => Arguments {
  return ([, ...others]) => [world.ids[name] ?? '', ...others]
}

function replacing(word: string, other: string): (example: Arguments) => Arguments {
  return (example) => example.map((one) => (one === word ? other : one))
}

async function delivery(): Promise<Arguments> {
  const webhook = world.ids.webhook ?? ''
  const [newest] = await world.ask('listWebhookDeliveries', { params: { id: webhook } })
  return [newest?._id ?? 'none', '--webhook', webhook]
}

async function request(example: Arguments): Promise<Arguments> {
  const requests: readonly { readonly _id: string }[] = await world.ask('listChangeRequests')
  const { _id = '' } = requests.find((one) => JSON.stringify(one).includes('"search"')) ?? {}
  return [_id, ...replacing('instant-payouts', 'search')(example).slice(1)]
}

/** Commands in the order of the records; then deletions, of children before parents; then what ends the sign-in of the person. */
function inOrder(): readonly OperationCommand[] {
  const ends = commands.filter(({ row }) => /^(signOutEverywhere|changePassword)$/.test(row.id))
  const parents = ['deleteMetric', 'deleteFeature', 'deleteEnvironment', 'deleteProject', 'deleteWorkloadTrust']
  const deletions = commands
    .filter(({ row }) => row.method === 'DELETE')
    .sort((one, other) => parents.indexOf(one.row.id) - parents.indexOf(other.row.id))
  const others = commands.filter((command) => !ends.includes(command) && !deletions.includes(command))
  return [...others, ...deletions, ...ends.reverse()]
}

describe('the example of the record', () => {
  it.each(inOrder().map((command) => [command.name, command] as const))(
    'works with burgee %s',
    async (name, command) => {
      const { id } = command.row
      const inShop = command.example.filter(
        (word, index, all) => word !== '--project' && all[index - 1] !== '--project'
      )
      const example = given[id] ? await given[id](inShop) : inShop
      const files = example.map((word) =>
        /^@[\w-]+\.txt$/.test(word) ? `@${join(world.folder, word.slice(1))}` : word
      )
      const environment = { ...world.environment, ...(isOfPerson(command) ? { BURGEE_TOKEN: world.person } : {}) }
      const confirmed = /--yes\b/.test((await runHere([...name.split(' '), '--help'], {})).stdout) ? ['--yes'] : []
      const { code, stdout, stderr } = await runHere([...name.split(' '), ...files, ...confirmed], environment)
      const [expected, reason] = refused[id] ?? [0, /^$/]
      expect([code, stderr], stdout).toEqual([expected, expect.stringMatching(reason)])
    }
  )
})
