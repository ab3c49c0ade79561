// Long because of its table: a row for every operation that changes data.

import { type Operation, type Operations, operations, permissions } from '@burgee/contract'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import {
  type ApiResponse,
  type Call,
  call,
  options,
  serve,
  storeWith,
  type TestServer,
  tokenOf
} from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { idOf, keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { copyStore, storedAuditText } from '@burgee/testing/storedData'
import { beforeAll, describe, expect, it, test } from 'vitest'

/** The operations that change data and require a token. */
type Mutating = {
  [Id in keyof Operations]: Operations[Id]['method'] extends 'GET'
    ? never
    : Operations[Id]['credential']['type'] extends 'token'
      ? Id
      : never
}[keyof Operations]

/**
 * The operations without an audit entry, and the reasons. They need a webhook that exists, which leaves an entry:
 * webhookDeliveries.test.ts tests them.
 */
const exempt = {
  testWebhook: 'It sends a sample, and changes nothing.',
  validateVariableValue: 'It changes nothing.',
  explain: 'It evaluates, and changes nothing.',
  previewFeature: 'It rolls the update back.',
  previewAudience: 'It evaluates, and changes nothing.',
  updateCodeUsages: 'It stores what a program found in code, with each push.',
  deleteCodeUsages: 'It removes what a program found in code, and finds again.',
  updateManagement: 'It records which files describe members, and changes none of them.',
  redeliverWebhook: 'It repeats a message about a change that has an entry.'
} as const satisfies { readonly [Id in Mutating]?: string }

/**
 * The operations whose entries other tests check, because they need a browser session (ownAccount.test.ts and
 * secondFactor.test.ts), a CI job (workloadIdentity.test.ts) or a preview (promotions.test.ts), or a flag of the manifest (manifest.test.ts).
 */
const elsewhere = [
  'endOwnSession',
  'revokeOwnApplication',
  'signOutEverywhere',
  'revokeWorkloadToken',
  'startAuthenticatorApp',
  'confirmAuthenticatorApp',
  'startPasskey',
  'addPasskey',
  'deleteSecondFactor',
  'replaceRecoveryCodes',
  'createPromotion',
  'createManifestFlag',
  'updateManifestFlag',
  'archiveManifestFlag'
] as const satisfies readonly Mutating[]

type Audited = Exclude<Mutating, keyof typeof exempt | (typeof elsewhere)[number]>

/** A change in an audit entry: its type, the former and the new value, and the affected environments. */
type Change = readonly [type: string, before: Contents, after: Contents, environments?: unknown]
type Contents = Readonly<Record<string, unknown>> | null

/** A call of an operation, and the expected audit entries. */
interface Row {
  /** The input of the call. Its preconditions are created first. */
  readonly given: Call | ((server: TestServer) => Promise<Call>)
  /** All members of its entry; for created and deleted items, some of them. */
  readonly changes: readonly Change[]
  /** The caller, if it is not the administrator. */
  readonly by?: string
  /** The changes in further entries, if there are any. */
  readonly more?: readonly Change[]
  /** Whether repeating the call changes data again. Otherwise it leaves no entry. */
  readonly repeats?: true
}

const project = 'shop'
const inShop = { project }
const checkout = { project, feature: 'checkout' }
const banner = { project, feature: 'banner' }
const everybody = { operator: 'and', filters: [{ type: 'all' }] }
const emails = (...values: string[]) => {
  return { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator: '=', values }] } as const
}
const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'checkout' }, { key: 'banner', offIn: ['staging'] }],
  audiences: { beta: emails('a@b.c') }
}

/** Patterns of values that no entry may contain. */
const accessToken = 'sample-token-that-nobody-may-see'
const trackerToken = 'a-token-of-the-tracker'
const webhookSecret = 'the-secret-in-the-address'
const secretPassword = 'a password that nobody may see'
const secrets = [
  options.adminClientSecret,
  accessToken,
  trackerToken,
  webhookSecret,
  'a secret of little worth',
  secretPassword,
  'the first one of Ada',
  'scrypt$',
  /(server|client|mobile)-[\w-]{32}/,
  /eyJ[\w-]+\.[\w-]+\./
]

/** Calls an operation as a precondition. */
async function done(server: TestServer, id: keyof Operations, given: Call): Promise<ApiResponse['body']> {
  const { status, body } = await call(server, id, given)
  expect(`${id} ${status} ${status < 300 ? '' : JSON.stringify(body)}`).toBe(`${id} ${operations[id].status} `)
  return body
}

/** A row with a precondition, which its call names. */
function after(id: keyof Operations, given: Call, next: (made: ApiResponse['body']) => Call) {
  return async (server: TestServer): Promise<Call> => next(await done(server, id, given))
}

const property = { key: 'plan', name: 'Plan', type: 'String', propertyKey: 'plan' }
const metric = { key: 'sales', name: 'Sales', event: 'sale', dimension: 'TOTAL_SUM', optimize: 'increase' }
const webhook = {
  name: 'Log',
  url: `https://user:${webhookSecret}@hooks.invalid/${webhookSecret}/hook?token=${webhookSecret}#${webhookSecret}`,
  events: ['modifiedFeature']
}
const masked = expect.stringMatching(/^\*{4}.{4}$/)
const shownUrl = 'https://hooks.invalid/****'
const observability = { observabilityEnvironmentId: 'abc', accessToken, environmentUrl: 'https://abc.invalid' }
const pair = { metric: 'sales', feature: 'checkout' }
const tracker = { issue_tracker: 'jira', token: trackerToken }
const baseUrl = 'https://issues.example.com'
const spare = { key: 'spare', type: 'String' }
const complete = { status: 'complete', staticVariation: 'variation-on' }

const wanted = { path: '/v2/projects/shop/features/checkout', method: 'PATCH', body: { name: 'Checkout' } }

/** The static variation of checkout, with this value. */
function variation(value: boolean): object {
  return expect.objectContaining({ key: 'variation-on', variables: [{ _var: idOf('variable checkout'), value }] })
}

const override = { environment: 'production', variation: 'variation-on' }
/** How entries name a user of an application. */
const aHash = expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/)

const overrideContents = {
  _feature: idOf('checkout'),
  _environment: idOf('production'),
  _variation: idOf('checkout variation-on'),
  svcUserId: aHash,
  idp_user: 'test-admin@clients'
}

/** An override of the administrator, and the call about it. */
function overridden(given: Call) {
  return async (server: TestServer): Promise<Call> => {
    await done(server, 'updateUserProfile', { params: inShop, body: { svcUserId: 'ada' } })
    await done(server, 'updateFeatureOverride', { params: checkout, body: override })
    return given
  }
}

const wantedOfProject = {
  path: '/v1/projects/shop/settings/protected',
  method: 'PATCH',
  body: { settings: { overrides: { protectedPermission: 'read' } } }
}
const overrides = (protectedPermission: string) => expect.objectContaining({ overrides: { protectedPermission } })

/** A change request of the project with this status, and the call about it. */
function requestedOfProject(progress: 'draft' | 'pending' | 'approved', members: Omit<Call, 'params'> = {}) {
  return async (server: TestServer): Promise<Call> => {
    await workflow(server)
    const { _id: id } = await done(server, 'createProjectChangeRequest', { params: inShop, body: wantedOfProject })
    const params = { project, id }
    const submission = { description: 'Please', reviewers: [] }
    if (progress !== 'draft') await done(server, 'submitProjectChangeRequest', { params, body: submission })
    const key = await tokenFor(server, 'owner')
    const review = { params, body: { action: 'approved', comment: 'Fine' }, key }
    if (progress === 'approved') await done(server, 'reviewProjectChangeRequest', review)
    return { params, ...members }
  }
}

/** A change request of checkout with this status, and the call about it. */
function requested(progress: 'draft' | 'pending' | 'approved', members: Omit<Call, 'params'> = {}) {
  return async (server: TestServer): Promise<Call> => {
    await workflow(server)
    const { _id: id } = await done(server, 'createChangeRequest', { params: checkout, body: wanted })
    const params = { ...checkout, id }
    const submission = { description: 'Please', reviewers: [] }
    if (progress !== 'draft') await done(server, 'submitChangeRequest', { params, body: submission })
    const review = { action: 'approved', comment: 'Fine' }
    const key = await tokenFor(server, 'reviewer')
    if (progress === 'approved') await done(server, 'reviewChangeRequest', { params, body: review, key })
    return { params, ...members }
  }
}

async function workflow(server: TestServer): Promise<void> {
  const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: true } }
  await done(server, 'updateProjectSettings', { params: { key: project }, body: { settings } })
}

async function associate(server: TestServer): Promise<void> {
  await done(server, 'createMetric', { params: inShop, body: metric })
  await done(server, 'createMetricAssociation', { params: inShop, body: pair })
}

const any = expect.anything()
const production = [idOf('production')]
const staging = [idOf('staging')]
const off = (environment: unknown): Change => {
  return ['disabledEnvironment', { status: 'active' }, { status: 'inactive' }, environment]
}
const killed = (contents: Record<string, string>): Change => ['killedFeature', null, contents]
const named: Change = ['modifiedFeature', { name: 'The checkout' }, { name: 'Checkout' }]

const person = { email: 'ada@example.com', name: 'Ada' }
const client = { name: 'Bot', clientId: 'bot', roles: [{ role: 'member' }] }
const trust = {
  key: 'deploy',
  name: 'Deploy',
  issuer: 'https://ci.example.com',
  audience: 'https://flags.example.com',
  conditions: [{ claim: 'repository_id', op: 'equals', value: '1' }]
}
const withGrants = { ...trust, grants: { projects: [project], role: 'viewer' } }
const storedTrust = { ...trust, enabled: true, grants: { _projects: [idOf('shop')], role: 'viewer', maxLifetime: 900 } }
const permissionsOf = (mode: string) => ({ permissions: { mode, controlledBy: 'burgee', groups: [] } })

const table: { readonly [Id in Audited]: Row } = {
  updateOrganizationSettings: {
    given: { body: { permissions: { mode: 'full' } } },
    changes: [['modifiedOrganization', { settings: permissionsOf('flat') }, { settings: permissionsOf('full') }]]
  },
  createUser: {
    given: { body: { ...person, password: secretPassword } },
    changes: [['createdUser', null, { ...person, roles: [{ role: 'member' }], mustChangePassword: true }]]
  },
  updateUser: {
    given: async (server) => {
      await done(server, 'createUser', { body: { ...person, email: 'keeper@example.com' } })
      const { _id: user } = await done(server, 'createUser', { body: person })
      return { params: { user }, body: { name: 'Ada L.', isDisabled: true } }
    },
    changes: [
      [
        'modifiedUser',
        { name: 'Ada', isDisabled: false },
        { name: 'Ada L.', isDisabled: true, signedOutAt: expect.any(String) }
      ]
    ]
  },
  resetPassword: {
    given: after('createUser', { body: person }, ({ _id: user }) => ({
      params: { user },
      body: { password: secretPassword }
    })),
    changes: [['modifiedUser', {}, { signedOutAt: expect.any(String) }]],
    repeats: true
  },
  signOutUser: {
    given: after('createUser', { body: person }, ({ _id: user }) => ({ params: { user } })),
    changes: [['modifiedUser', {}, { signedOutAt: expect.any(String) }]],
    repeats: true
  },
  resetSecondFactors: {
    given: after('createUser', { body: person }, ({ _id: user }) => ({ params: { user } })),
    changes: [['modifiedUser', {}, { signedOutAt: expect.any(String) }]],
    repeats: true
  },
  changePassword: {
    given: async (server) => {
      const { user_id } = await done(server, 'createUser', { body: { ...person, password: 'the first one of Ada' } })
      const body = { currentPassword: 'the first one of Ada', newPassword: secretPassword }
      return { key: await personToken(server, user_id), body }
    },
    by: expect.stringMatching(/^burgee\|[0-9a-f]{24}$/),
    changes: [
      ['modifiedUser', { mustChangePassword: true }, { mustChangePassword: false, signedOutAt: expect.any(String) }]
    ]
  },
  createApiClient: {
    given: { body: client },
    changes: [['createdApiClient', null, { ...client, redirectUris: [], isAssistant: false, isDynamic: false }]]
  },
  updateApiClient: {
    given: after('createApiClient', { body: client }, () => {
      return { params: { client: 'bot' }, body: { roles: null, permissions: ['project:read'] } }
    }),
    changes: [
      ['modifiedApiClient', { roles: [{ role: 'member' }] }, { permissions: ['project:read'], signedOutAt: any }]
    ]
  },
  deleteApiClient: {
    given: after('createApiClient', { body: client }, () => ({ params: { client: 'bot' } })),
    changes: [['deletedApiClient', client, null]]
  },
  rotateApiClientSecret: {
    given: after('createApiClient', { body: client }, () => ({ params: { client: 'bot' } })),
    changes: [['modifiedApiClient', {}, { secretChangedAt: expect.any(String) }]],
    repeats: true
  },
  createScimToken: {
    given: { body: { name: 'okta' } },
    changes: [['createdScimToken', null, { name: 'okta' }]]
  },
  deleteScimToken: {
    given: after('createScimToken', { body: { name: 'okta' } }, () => ({ params: { token: 'okta' } })),
    changes: [['deletedScimToken', { name: 'okta' }, null]]
  },
  createWorkloadTrust: {
    given: { body: withGrants },
    changes: [['createdWorkloadTrust', null, storedTrust]]
  },
  updateWorkloadTrust: {
    given: after('createWorkloadTrust', { body: withGrants }, () => {
      return { params: { trust: 'deploy' }, body: { enabled: false } }
    }),
    changes: [['modifiedWorkloadTrust', { enabled: true }, { enabled: false, changedAt: any }]]
  },
  deleteWorkloadTrust: {
    given: after('createWorkloadTrust', { body: withGrants }, () => ({ params: { trust: 'deploy' } })),
    changes: [['deletedWorkloadTrust', storedTrust, null]]
  },
  rotateSigningKey: {
    given: {},
    changes: [['createdSigningKey', null, { kid: any }]],
    repeats: true
  },
  createProject: {
    given: { body: { key: 'new', name: 'New' } },
    changes: [
      ['createdProject', null, { key: 'new', name: 'New', settings: any }],
      ...['development', 'staging', 'production'].map((key): Change => ['createdEnvironment', null, { key }, [any]])
    ]
  },
  updateProject: {
    given: { params: { key: project }, body: { name: 'Store', description: 'Sells' } },
    changes: [['modifiedProject', { name: 'Shop' }, { name: 'Store', description: 'Sells' }]]
  },
  deleteProject: {
    given: after('createProject', { body: { key: 'new', name: 'New' } }, () => ({ params: { key: 'new' } })),
    changes: [['deletedProject', { key: 'new', name: 'New' }, null]]
  },
  updateProjectSettings: {
    given: { params: { key: project }, body: { settings: { disablePassthroughRollouts: true } } },
    changes: [
      [
        'modifiedProject',
        { settings: expect.objectContaining({ disablePassthroughRollouts: false }) },
        { settings: expect.objectContaining({ disablePassthroughRollouts: true }) }
      ]
    ]
  },
  updateProtectedSettings: {
    given: {
      params: { key: project },
      body: { settings: { featureApprovalWorkflow: {}, staleness: { enabled: true } } }
    },
    changes: [
      [
        'modifiedProject',
        { settings: expect.objectContaining({ staleness: expect.objectContaining({ enabled: false }) }) },
        { settings: expect.objectContaining({ staleness: expect.objectContaining({ enabled: true }) }) }
      ]
    ]
  },
  createEnvironment: {
    given: { params: inShop, body: { key: 'qa', name: 'QA', type: 'staging' } },
    changes: [['createdEnvironment', null, { key: 'qa', name: 'QA', type: 'staging' }, [any]]]
  },
  updateEnvironment: {
    given: { params: { project, key: 'staging' }, body: { name: 'Stage' } },
    changes: [['modifiedEnvironment', { name: 'staging' }, { name: 'Stage' }, staging]]
  },
  deleteEnvironment: {
    given: { params: { project, key: 'staging' } },
    changes: [['deletedEnvironment', { _id: idOf('staging'), key: 'staging' }, null, staging]]
  },
  generateSdkKeys: {
    given: { params: { project, environment: 'staging' }, body: { server: true, mobile: true } },
    changes: [
      ['createdSdkKey', null, { type: 'mobile', key: masked }, staging],
      ['createdSdkKey', null, { type: 'server', key: masked }, staging]
    ],
    repeats: true
  },
  updateSdkKey: {
    given: {
      params: { project, environment: 'staging', key: keyOf('server', 'staging') },
      body: { allowedNetworks: ['192.0.2.0/24'] }
    },
    changes: [['modifiedSdkKey', {}, { allowedNetworks: ['192.0.2.0/24'] }, staging]]
  },
  invalidateSdkKey: {
    given: after('generateSdkKeys', { params: { project, environment: 'staging' }, body: { client: true } }, () => {
      return { params: { project, environment: 'staging', key: keyOf('client', 'staging') } }
    }),
    changes: [['deletedSdkKey', { type: 'client', key: `****${keyOf('client', 'staging').slice(-4)}` }, null, staging]]
  },
  createUserSigningSecret: {
    given: { params: { project, environment: 'staging' } },
    changes: [['createdUserSigningSecret', null, { _id: any, secret: masked }, staging]],
    repeats: true
  },
  deleteUserSigningSecret: {
    given: after('createUserSigningSecret', { params: { project, environment: 'staging' } }, ({ _id: id }) => {
      return { params: { project, environment: 'staging', id } }
    }),
    changes: [['deletedUserSigningSecret', { _id: any, secret: masked }, null, staging]]
  },
  createFeature: {
    given: { params: inShop, body: { key: 'search', name: 'Search' } },
    changes: [
      [
        'createdFeature',
        null,
        {
          key: 'search',
          variations: [any, any],
          variables: [expect.objectContaining({ key: 'search' })],
          settings: any
        }
      ]
    ]
  },
  updateFeature: {
    given: {
      params: checkout,
      body: { name: 'Checkout', configurations: { production: { status: 'inactive', targets: [] } } }
    },
    changes: [named, off(production), ['removedTarget', { targets: [any] }, null, production]]
  },
  updateFeatureStatus: {
    given: { params: checkout, body: complete },
    changes: [
      ['modifiedFeatureStatus', { status: 'active' }, complete],
      ...[production, staging].flatMap((environment): Change[] => [
        ['addedTarget', null, { targets: [expect.objectContaining({ name: 'All Users' })] }, environment],
        ['removedTarget', { targets: [expect.objectContaining({ _id: idOf('checkout target 0') })] }, null, environment]
      ])
    ]
  },
  updateStaticConfiguration: {
    given: after('updateFeatureStatus', { params: checkout, body: complete }, () => {
      return { params: checkout, body: { variables: { checkout: false }, environments: { staging: 'inactive' } } }
    }),
    changes: [
      ['modifiedVariation', { variations: [variation(true)] }, { variations: [variation(false)] }],
      off(staging)
    ]
  },
  updateFeatureStaleness: {
    given: { params: checkout, body: { disabled: true } },
    changes: [['modifiedFeature', {}, { staleness: expect.objectContaining({ disabled: true }) }]]
  },
  updateFeatureSummary: {
    given: { params: checkout, body: { markdown: '**Checkout**' } },
    changes: [
      [
        'modifiedFeature',
        { summary: { maintainers: [], links: [], markdown: '' } },
        { summary: { maintainers: [], links: [], markdown: '**Checkout**' } }
      ]
    ]
  },
  revertFeature: {
    given: async (server) => {
      await done(server, 'updateFeature', { params: checkout, body: { name: 'Checkout' } })
      const [{ _id: entry }] = await done(server, 'getFeatureAudit', { params: checkout })
      return { params: { ...checkout, entry } }
    },
    changes: [['modifiedFeature', { name: 'Checkout' }, { name: 'The checkout' }]]
  },
  killFeature: {
    given: { params: checkout, body: { reason: 'It fails.' } },
    changes: [killed({ reason: 'It fails.' }), off(production), off(staging)]
  },
  updateFeatures: {
    given: { params: inShop, body: { features: ['checkout'], action: 'kill' } },
    changes: [killed({}), off(production), off(staging)]
  },
  createVariation: {
    given: { params: checkout, body: { key: 'third', name: 'Third', variables: { checkout: true } } },
    changes: [['addedVariation', null, { variations: [expect.objectContaining({ key: 'third', name: 'Third' })] }]]
  },
  updateVariation: {
    given: { params: { ...checkout, key: 'variation-on' }, body: { variables: { checkout: false } } },
    changes: [['modifiedVariation', { variations: [variation(true)] }, { variations: [variation(false)] }]]
  },
  createVariable: {
    given: { params: inShop, body: spare },
    changes: [['createdVariable', null, { key: 'spare', type: 'String', status: 'active' }]]
  },
  updateVariable: {
    given: after('createVariable', { params: inShop, body: spare }, () => {
      return { params: { project, key: 'spare' }, body: { name: 'Spare', persistent: true } }
    }),
    changes: [['modifiedVariable', { name: 'spare' }, { name: 'Spare', persistent: true }]]
  },
  deleteVariable: {
    given: after('createVariable', { params: inShop, body: spare }, () => ({ params: { project, key: 'spare' } })),
    changes: [['deletedVariable', { key: 'spare', type: 'String' }, null]]
  },
  updateVariableStatus: {
    given: after('createVariable', { params: inShop, body: spare }, () => {
      return { params: { project, key: 'spare' }, body: { status: 'archived' } }
    }),
    changes: [['modifiedVariable', { status: 'active' }, { status: 'archived' }]]
  },
  createAudience: {
    given: { params: inShop, body: { key: 'all', name: 'All', filters: everybody } },
    changes: [['createdAudience', null, { key: 'all', name: 'All', filters: everybody }]]
  },
  updateAudience: {
    given: { params: { project, key: 'beta' }, body: { filters: everybody } },
    changes: [['modifiedAudience', { filters: emails('a@b.c') }, { filters: everybody }]]
  },
  deleteAudience: {
    given: { params: { project, key: 'beta' } },
    changes: [['deletedAudience', { key: 'beta', filters: emails('a@b.c') }, null]]
  },
  patchAudience: {
    given: {
      params: { project, key: 'beta' },
      body: { instructions: [{ op: 'addFilterValues', action: { values: ['d@e.f'], filterIndex: '0' } }] }
    },
    changes: [['modifiedAudience', { filters: emails('a@b.c') }, { filters: emails('a@b.c', 'd@e.f') }]]
  },
  createCustomProperty: {
    given: { params: inShop, body: property },
    changes: [['createdCustomProperty', null, property]]
  },
  updateCustomProperty: {
    given: after('createCustomProperty', { params: inShop, body: property }, () => {
      return { params: { project, key: 'plan' }, body: { name: 'Tariff' } }
    }),
    changes: [['modifiedCustomProperty', { name: 'Plan' }, { name: 'Tariff' }]]
  },
  deleteCustomProperty: {
    given: after('createCustomProperty', { params: inShop, body: property }, () => ({
      params: { project, key: 'plan' }
    })),
    changes: [['deletedCustomProperty', property, null]]
  },
  createMetric: { given: { params: inShop, body: metric }, changes: [['createdMetric', null, metric]] },
  updateMetric: {
    given: after('createMetric', { params: inShop, body: metric }, () => {
      return { params: { project, key: 'sales' }, body: { optimize: 'decrease' } }
    }),
    changes: [['modifiedMetric', { optimize: 'increase' }, { optimize: 'decrease' }]]
  },
  deleteMetric: {
    given: async (server) => {
      await associate(server)
      return { params: { project, key: 'sales' } }
    },
    changes: [
      ['deletedMetricAssociation', { _feature: idOf('checkout') }, null],
      ['deletedMetric', metric, null]
    ]
  },
  createMetricAssociation: {
    given: after('createMetric', { params: inShop, body: metric }, () => ({ params: inShop, body: pair })),
    changes: [['createdMetricAssociation', null, { _metric: any, _feature: idOf('checkout') }]]
  },
  deleteMetricAssociation: {
    given: async (server) => {
      await associate(server)
      return { params: inShop, query: pair }
    },
    changes: [['deletedMetricAssociation', { _metric: any, _feature: idOf('checkout') }, null]]
  },
  createWebhook: {
    given: { params: inShop, body: webhook },
    changes: [['createdWebhook', null, { name: 'Log', url: shownUrl, events: ['modifiedFeature'] }]]
  },
  updateWebhook: {
    given: after('createWebhook', { params: inShop, body: webhook }, ({ _id: id }) => {
      return { params: { project, id }, body: { name: 'New log', url: `${webhook.url}2` } }
    }),
    changes: [['modifiedWebhook', { name: 'Log', url: shownUrl }, { name: 'New log', url: shownUrl }]]
  },
  rotateWebhookSecret: {
    given: after('createWebhook', { params: inShop, body: webhook }, ({ _id: id }) => ({ params: { project, id } })),
    changes: [['modifiedWebhook', {}, {}]],
    repeats: true
  },
  deleteWebhook: {
    given: after('createWebhook', { params: inShop, body: webhook }, ({ _id: id }) => ({ params: { project, id } })),
    changes: [['deletedWebhook', { name: 'Log', url: shownUrl }, null]]
  },
  updateObservabilityIntegration: {
    given: { body: observability },
    changes: [
      [
        'createdObservabilityIntegration',
        null,
        { observabilityEnvironmentId: 'abc', environmentUrl: 'https://abc.invalid' }
      ]
    ]
  },
  deleteObservabilityIntegration: {
    given: after('updateObservabilityIntegration', { body: observability }, () => {
      return { params: { observabilityEnvironmentId: 'abc' } }
    }),
    changes: [['deletedObservabilityIntegration', { observabilityEnvironmentId: 'abc' }, null]]
  },
  connectIssueTrackerOrganization: {
    given: { params: tracker, body: { baseUrl } },
    changes: [['createdIssueTracker', null, { tracker: 'jira', baseUrl, token: masked }]]
  },
  connectIssueTrackerProject: {
    given: { params: tracker, body: { baseUrl, project } },
    changes: [['createdIssueTracker', null, { tracker: 'jira', baseUrl, _project: idOf('shop'), token: masked }]]
  },
  deleteIssueTrackerOrganization: {
    given: after('connectIssueTrackerOrganization', { params: tracker, body: { baseUrl } }, () => ({
      params: tracker
    })),
    changes: [['deletedIssueTracker', { tracker: 'jira', baseUrl, token: masked }, null]]
  },
  deleteIssueTrackerProject: {
    given: after('connectIssueTrackerProject', { params: tracker, body: { baseUrl, project } }, () => {
      return { params: tracker }
    }),
    changes: [['deletedIssueTracker', { tracker: 'jira', baseUrl, _project: idOf('shop') }, null]]
  },
  deleteIssueTracker: {
    given: after('connectIssueTrackerOrganization', { params: tracker, body: { baseUrl } }, () => ({
      params: tracker
    })),
    changes: [['deletedIssueTracker', { tracker: 'jira', baseUrl, token: masked }, null]]
  },
  createChangeRequest: {
    given: async (server) => {
      await workflow(server)
      return { params: checkout, body: wanted }
    },
    changes: [['createdChangeRequest', null, { _feature: idOf('checkout'), status: 'draft', changes: [any] }]],
    // Every user can have drafts at the same time.
    repeats: true
  },
  updateChangeRequest: {
    given: requested('draft', { body: { body: { name: 'Basket' } } }),
    changes: [
      [
        'modifiedChangeRequest',
        { body: { name: 'Checkout' }, changes: [any], effect: any },
        { body: { name: 'Basket' }, changes: [any], effect: any, _updatedBy: 'test-admin@clients' }
      ]
    ]
  },
  rebaseChangeRequest: {
    given: async (server) => {
      const given = await requested('approved')(server)
      await done(server, 'killFeature', { params: checkout })
      return given
    },
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'approved', _baseFeatureSnapshot: idOf('checkout'), _updatedBy: 'reviewer@clients' },
        { status: 'draft', _baseFeatureSnapshot: expect.any(String), _updatedBy: 'test-admin@clients' }
      ]
    ]
  },
  scheduleChangeRequest: {
    given: requested('approved', { body: { applyAt: '2026-03-02T06:00:00.000Z' } }),
    changes: [
      [
        'modifiedChangeRequest',
        { _updatedBy: 'reviewer@clients' },
        {
          applyAt: '2026-03-02T06:00:00.000Z',
          _scheduledBy: 'test-admin@clients',
          _updatedBy: 'test-admin@clients'
        }
      ]
    ]
  },
  submitChangeRequest: {
    given: requested('draft', { body: { description: 'Please', reviewers: ['reviewer@clients'] } }),
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'draft', reviewers: { users: [] } },
        {
          status: 'pending',
          reviewers: { users: ['reviewer@clients'] },
          description: 'Please',
          _updatedBy: 'test-admin@clients'
        }
      ]
    ]
  },
  reviewChangeRequest: {
    given: async (server) => {
      const given = await requested('pending', { body: { action: 'approved', comment: 'Fine' } })(server)
      return { ...given, key: await tokenFor(server, 'reviewer') }
    },
    by: 'reviewer@clients',
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'pending', reviews: [], _updatedBy: 'test-admin@clients' },
        {
          status: 'approved',
          reviews: [expect.objectContaining({ action: 'approved', comment: 'Fine' })],
          _updatedBy: 'reviewer@clients'
        }
      ]
    ]
  },
  applyChangeRequest: {
    given: requested('approved', { body: { description: 'Please', action: 'applied' } }),
    changes: [named],
    // The entry has the result of the request in addition to that of the feature.
    more: [
      [
        'modifiedChangeRequest',
        { status: 'approved', _updatedBy: 'reviewer@clients' },
        { status: 'applied', _updatedBy: 'test-admin@clients', _appliedEntry: expect.stringMatching(/^[0-9a-f]{24}$/) }
      ]
    ]
  },
  cancelChangeRequest: {
    given: requested('draft'),
    changes: [['modifiedChangeRequest', { status: 'draft' }, { status: 'cancelled', _updatedBy: 'test-admin@clients' }]]
  },
  createProjectChangeRequest: {
    given: async (server) => {
      await workflow(server)
      return { params: inShop, body: wantedOfProject }
    },
    changes: [
      ['createdChangeRequest', null, { operation: 'protectedSettingsUpdate', status: 'draft', changes: [any] }]
    ],
    repeats: true
  },
  updateProjectChangeRequest: {
    given: requestedOfProject('draft', {
      body: { body: { settings: { featureApprovalWorkflow: { enabled: false } } } }
    }),
    changes: [
      [
        'modifiedChangeRequest',
        { body: wantedOfProject.body, changes: [any], effect: any },
        { body: any, changes: [any], effect: any, _updatedBy: 'test-admin@clients' }
      ]
    ]
  },
  rebaseProjectChangeRequest: {
    given: async (server) => {
      const given = await requestedOfProject('approved')(server)
      const settings = { featureApprovalWorkflow: {}, staleness: { enabled: true } }
      await done(server, 'updateProtectedSettings', { params: { key: project }, body: { settings } })
      return given
    },
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'approved', changes: [any], effect: any, _updatedBy: 'owner@clients' },
        { status: 'draft', changes: [any], effect: any, _updatedBy: 'test-admin@clients' }
      ]
    ]
  },
  submitProjectChangeRequest: {
    given: requestedOfProject('draft', { body: { description: 'Please', reviewers: [] } }),
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'draft' },
        { status: 'pending', description: 'Please', _updatedBy: 'test-admin@clients' }
      ]
    ]
  },
  reviewProjectChangeRequest: {
    given: async (server) => {
      const given = await requestedOfProject('pending', { body: { action: 'approved', comment: 'Fine' } })(server)
      return { ...given, key: await tokenFor(server, 'owner') }
    },
    by: 'owner@clients',
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'pending', reviews: [], _updatedBy: 'test-admin@clients' },
        { status: 'approved', reviews: [any], _updatedBy: 'owner@clients' }
      ]
    ]
  },
  scheduleProjectChangeRequest: {
    given: requestedOfProject('approved', { body: { applyAt: '2026-03-02T06:00:00.000Z' } }),
    changes: [
      [
        'modifiedChangeRequest',
        { _updatedBy: 'owner@clients' },
        {
          applyAt: '2026-03-02T06:00:00.000Z',
          _scheduledBy: 'test-admin@clients',
          _updatedBy: 'test-admin@clients'
        }
      ]
    ]
  },
  applyProjectChangeRequest: {
    given: requestedOfProject('approved', { body: { description: 'Please', action: 'applied' } }),
    // One entry has the result of the request and the change.
    changes: [
      [
        'modifiedChangeRequest',
        { status: 'approved', _updatedBy: 'owner@clients' },
        { status: 'applied', _updatedBy: 'test-admin@clients', _appliedEntry: any }
      ],
      ['modifiedProject', { settings: overrides('publish') }, { settings: overrides('read') }]
    ]
  },
  cancelProjectChangeRequest: {
    given: requestedOfProject('draft'),
    changes: [['modifiedChangeRequest', { status: 'draft' }, { status: 'cancelled', _updatedBy: 'test-admin@clients' }]]
  },
  updateFeatureConfiguration: {
    given: { params: checkout, query: { environment: 'production' }, body: { status: 'inactive' } },
    changes: [off(production)]
  },
  createFeatureV1: {
    given: { params: inShop, body: { key: 'search', name: 'Search' } },
    changes: [['createdFeature', null, { key: 'search', name: 'Search' }]]
  },
  createFeatures: {
    given: { params: inShop, body: ['search', { key: 'basket', name: 'Basket' }] },
    changes: [['createdFeature', null, { key: 'search', name: 'search' }]],
    // Each feature has its own log.
    more: [['createdFeature', null, { key: 'basket', name: 'Basket' }]]
  },
  updateFeatureV1: {
    given: { params: checkout, body: { tags: ['shop'] } },
    changes: [['modifiedFeature', { tags: [] }, { tags: ['shop'] }]]
  },
  deleteFeature: {
    given: { params: checkout },
    changes: [['deletedFeature', { key: 'checkout', name: 'The checkout', variations: [any, any] }, null]]
  },
  updateFeatureStatusV1: {
    given: { params: checkout, body: { status: 'archived' } },
    changes: [
      ['modifiedFeatureStatus', { status: 'active' }, { status: 'archived' }],
      [
        'modifiedVariable',
        { variables: [expect.objectContaining({ key: 'checkout', status: 'active' })] },
        { variables: [expect.objectContaining({ key: 'checkout', status: 'archived' })] }
      ]
    ]
  },
  updateStaticConfigurationV1: {
    given: after('updateFeatureStatus', { params: checkout, body: complete }, () => {
      return { params: checkout, body: { name: 'Checkout' } }
    }),
    changes: [named]
  },
  linkIssue: {
    given: after('connectIssueTrackerOrganization', { params: tracker, body: { baseUrl } }, () => {
      return { params: { ...checkout, issue_tracker: 'jira' }, body: { issueId: 'SHOP-1' } }
    }),
    changes: [['createdIssueLink', null, { tracker: 'jira', issueId: 'SHOP-1' }]]
  },
  unlinkIssue: {
    given: async (server) => {
      await done(server, 'connectIssueTrackerOrganization', { params: tracker, body: { baseUrl } })
      const params = { ...checkout, issue_tracker: 'jira' }
      await done(server, 'linkIssue', { params, body: { issueId: 'SHOP-1' } })
      return { params: { ...params, issue_id: 'SHOP-1' } }
    },
    changes: [['deletedIssueLink', { tracker: 'jira', issueId: 'SHOP-1' }, null]]
  },
  updateUserProfile: {
    given: overridden({ params: inShop, body: { svcUserId: 'lovelace' } }),
    changes: [['modifiedUserProfile', { svcUserId: aHash }, { svcUserId: aHash }]],
    more: [['modifiedOverride', { svcUserId: aHash }, { svcUserId: aHash }, production]]
  },
  updateFeatureOverride: {
    given: after('updateUserProfile', { params: inShop, body: { svcUserId: 'ada' } }, () => {
      return { params: checkout, body: override }
    }),
    changes: [['createdOverride', null, overrideContents, production]]
  },
  deleteFeatureOverride: {
    given: overridden({ params: checkout, query: { environment: 'production' } }),
    changes: [['deletedOverride', overrideContents, null, production]]
  },
  deleteFeatureOverrides: {
    given: overridden({ params: checkout, query: { environment: 'production' } }),
    changes: [['deletedOverride', overrideContents, null, production]]
  },
  deleteCurrentOverrides: {
    given: overridden({ params: inShop }),
    changes: [['deletedOverride', overrideContents, null, production]]
  },
  eraseUserData: {
    given: { params: { project, user_id: 'ada' } },
    changes: [
      ['deletedUserData', { userHash: aHash, edgeData: 0, optIns: 0, overrides: 0, events: 0 }, null, expect.anything()]
    ],
    repeats: true
  }
}

interface Entry {
  readonly _id: string
  readonly date: string
  readonly idp_user: string
  readonly _project?: string
  readonly _feature?: string
  readonly changes: readonly { readonly type: string }[]
}

/** All entries of the organization's log, newest first. */
async function entriesOf(server: TestServer): Promise<Entry[]> {
  return done(server, 'listAuditEntries', { query: { perPage: 1000 } })
}

/** The entries that were added since. */
async function entriesSince(server: TestServer, before: readonly Entry[]): Promise<Entry[]> {
  const known = new Set(before.map(({ _id }) => _id))
  return (await entriesOf(server)).filter(({ _id }) => !known.has(_id))
}

/** A change matches: of modified items all members, of created or deleted ones some, except ids and dates. */
function matching([type, before, after, _environments]: Change): object {
  const contents = (members: Contents) => {
    return members === null || type.startsWith('modified') ? members : expect.objectContaining(members)
  }
  return expect.objectContaining({
    type,
    previousContents: contents(before),
    newContents: contents(after),
    ...(_environments === undefined ? {} : { _environments })
  })
}

let template: string

beforeAll(async () => {
  template = await storeWith(plan)
  await addClients(template, { reviewer: permissions, owner: permissions, reader: ['organization:read:members'] })
  // Opening a store again is faster, because it has its keys already.
  await (await serve(template)).close()
})

/** A separate server, whose clock advances a second with each reading. */
async function serveFresh(): Promise<TestServer> {
  const server = await serve(await copyStore(template))
  let seconds = 0
  server.clock.now = () => NOW + 1000 * seconds++
  return server
}

/** The full contents of the log, including stored members that are not in responses. */
async function textOf(server: TestServer): Promise<string> {
  return JSON.stringify(await entriesOf(server)) + (await storedAuditText(server.directory))
}

const audited = Object.keys(table) as Audited[]
const exempted = Object.keys(exempt) as (keyof typeof exempt)[]
const mutating: readonly Mutating[] = [...audited, ...exempted]

it('the table covers every operation that changes data and requires a token', () => {
  const records = Object.values<Operation>(operations).filter(({ method, credential }) => {
    return method !== 'GET' && credential.type === 'token'
  })
  expect([...mutating, ...elsewhere].sort()).toEqual(records.map(({ id }) => id).sort())
})

describe('a change', () => {
  test.each(sample(audited, Math.ceil(audited.length / 6), 'audited'))(
    'writes exactly one entry if it changes data, and none otherwise: %s',
    async (id) => {
      const server = await serveFresh()
      const { given: row, changes, more, by = 'test-admin@clients', repeats } = table[id]
      const given = typeof row === 'function' ? await row(server) : row
      const before = await entriesOf(server)

      await done(server, id, given)
      const entries = await entriesSince(server, before)
      expect(entries).toHaveLength(more ? 2 : 1)
      for (const [entry, expected] of paired(entries, more ? [changes, more] : [changes])) {
        expect(entry).toMatchObject({ idp_user: by, date: expect.stringMatching(/^2026-03-01T12:/) })
        expect(entry.changes).toHaveLength(expected.length)
        expect(entry.changes).toEqual(expect.arrayContaining(expected.map(matching)))
        // Entries are deleted with their project: the one about its deletion belongs to the organization.
        if (operations[id].path.includes('/projects/') && id !== 'deleteProject')
          expect(entry._project).toBe(idOf('shop'))
        if (entry._feature) {
          const log = await done(server, 'getFeatureAudit', { params: { project, feature: entry._feature } })
          expect(log[0]).toEqual(entry)
        }
      }

      const { status } = await call(server, id, given)
      const further = (await entriesSince(server, before)).length - entries.length
      expect([further, status < 500]).toEqual([repeats ? 1 : 0, true])

      const text = await textOf(server)
      for (const secret of secrets) expect(text).not.toMatch(secret)
    }
  )

  /** Pairs each entry with its expected changes, in any order. */
  function paired(entries: readonly Entry[], expected: readonly (readonly Change[])[]) {
    return expected.map((changes): [Entry, readonly Change[]] => {
      const [[type, before, after] = []] = changes
      const fits = ({ changes: [first] }: Entry) => {
        return first?.type === type && JSON.stringify(first).includes(String((after ?? before)?.key ?? ''))
      }
      const entry = entries.length > 1 ? entries.find(fits) : entries[0]
      if (!entry) throw new Error(`no entry begins with ${type}`)
      return [entry, changes]
    })
  }

  it('of many items writes one entry for all of them', async () => {
    const server = await serveFresh()
    const third = { key: 'third', name: 'Third', variables: { checkout: true, colour: 'blue' } }
    const distribution = [{ _variation: 'third', percentage: 1 }]
    const target = { name: 'All', audience: { filters: everybody }, distribution }
    const body = {
      name: 'Checkout',
      variables: [
        { key: 'checkout', type: 'Boolean' },
        { key: 'colour', type: 'String' }
      ],
      variations: [third],
      configurations: {
        staging: { status: 'inactive', targets: [] },
        production: { targets: [target] }
      },
      settings: { publicName: 'Try it' },
      tags: ['new']
    }
    await done(server, 'updateFeature', { params: checkout, body })
    const entries = await entriesOf(server)
    expect(entries).toHaveLength(1)
    const types = new Set(entries[0]?.changes.map(({ type }) => type))
    expect([...types].sort()).toEqual([
      'addedTarget',
      'addedVariable',
      'addedVariation',
      'disabledEnvironment',
      'modifiedFeature',
      'modifiedSettings',
      'removedTarget',
      'removedVariation'
    ])
  })

  it('has the same entries, in the same words and order, after a restart', async () => {
    const server = await serveFresh()
    await done(server, 'createProject', { body: { key: 'new', name: 'New' } })
    for (const name of ['One', 'Two', 'Three'])
      await done(server, 'updateFeature', { params: checkout, body: { name } })
    await done(server, 'createFeatures', { params: inShop, body: ['search', 'basket'] })
    await done(server, 'deleteProject', { params: { key: 'new' } })
    const log = await done(server, 'getFeatureAudit', { params: checkout })
    const entries = await entriesOf(server)
    expect(entries.map(({ changes: [first] }) => first?.type)).toEqual([
      'deletedProject',
      'createdFeature',
      'createdFeature',
      'modifiedFeature',
      'modifiedFeature',
      'modifiedFeature',
      'createdProject'
    ])
    await server.close()
    const again = await serve(server.directory)
    expect(await entriesOf(again)).toEqual(entries)
    expect(await done(again, 'getFeatureAudit', { params: checkout })).toEqual(log)
  })
})

describe('a refused request leaves no entry', () => {
  let server: TestServer
  /** The token of a user who may only read the members. */
  let reader: string

  beforeAll(async () => {
    server = await serveFresh()
    reader = await tokenFor(server, 'reader')
  })

  async function expectNothing(id: keyof Operations, given: Call, status: number): Promise<void> {
    const history = await storedAuditText(server.directory)
    expect((await call(server, id, given)).status).toBe(status)
    expect(await entriesOf(server)).toEqual([])
    expect(await storedAuditText(server.directory)).toBe(history)
  }

  /** An unknown value for each parameter. */
  function nowhere(id: Mutating): Readonly<Record<string, string>> {
    const names = Object.keys((operations[id] as Operation).params?.shape ?? {})
    return Object.fromEntries(names.map((name) => [name, name === 'entry' ? idOf('nowhere') : 'nowhere']))
  }

  // The rotation of signing keys has no input that could be unknown or invalid.
  const fallible = mutating.filter((id) => id !== 'rotateSigningKey')

  test.each(sample(fallible, Math.ceil(fallible.length / 6), 'fallible'))(
    'for an unknown item or an invalid body: %s',
    async (id) => {
      const query = { environment: 'nowhere', metric: 'nowhere', feature: 'nowhere', repo: 'nowhere/else' }
      const given = { params: nowhere(id), query, body: { nonsense: true } }
      await expectNothing(id, given, 'body' in operations[id] ? 400 : 404)
    }
  )

  // People change their own password without a permission.
  const permitted = mutating.filter((id) => id !== 'changePassword')

  test.each(sample(permitted, Math.ceil(permitted.length / 6), 'permitted'))(
    'for a caller without permission: %s',
    async (id) => {
      await expectNothing(id, { params: nowhere(id), key: reader }, 403)
    }
  )

  const empty = { status: 'active', targets: [] }
  const instruction = (filterIndex: string) => ({ op: 'addFilterValues', action: { values: ['x@y.z'], filterIndex } })

  test.each([
    ['createProject', {}, { key: 'shop', name: 'Shop' }, 409],
    ['createFeatures', inShop, ['search', 'checkout'], 409],
    ['createFeatures', inShop, ['search', { key: 'basket', name: 'B', configurations: { production: empty } }], 412],
    ['createFeature', inShop, { key: 'search', name: 'S', variables: [{ key: 'banner', type: 'Boolean' }] }, 409],
    [
      'updateFeature',
      banner,
      { name: 'Banner', configurations: { production: { status: 'inactive' }, staging: empty } },
      412
    ],
    ['updateFeature', checkout, { name: 'Checkout', key: 'banner' }, 409],
    ['updateFeatureStatus', checkout, { ...complete, staticVariation: 'nope' }, 400],
    ['patchAudience', { project, key: 'beta' }, { instructions: [instruction('0'), instruction('5')] }, 400],
    ['deleteVariable', { project, key: 'checkout' }, undefined, 412],
    ['deleteProject', { key: 'shop' }, undefined, 405]
  ] as const)('for a conflict during the operation: %s %j %j', async (id, params, body, status) => {
    await expectNothing(id, { params: params as Record<string, string>, body }, status)
  })
})

it('the audit log records that a password or secret was replaced, without its value', async () => {
  const server = await serveFresh()
  const { _id: user, password } = await done(server, 'createUser', { body: person })
  const { password: second } = await done(server, 'resetPassword', { params: { user } })
  const { clientSecret } = await done(server, 'createApiClient', { body: client })
  const { clientSecret: next } = await done(server, 'rotateApiClientSecret', { params: { client: 'bot' } })
  const metadata = (await entriesOf(server)).map(({ changes: [first] }) => (first as { metadata?: object }).metadata)
  expect(metadata).toEqual([
    { _id: expect.any(String), secret: 'replaced' },
    undefined,
    { _id: user, password: 'replaced' },
    undefined
  ])
  const text = await textOf(server)
  for (const secret of [password, second, clientSecret, next]) expect(text).not.toContain(secret)
})

it('the audit log contains no secret of repeated changes', async () => {
  const server = await serveFresh()
  const token = await tokenOf(server)
  await done(server, 'updateObservabilityIntegration', { body: observability })
  await done(server, 'updateObservabilityIntegration', {
    body: { ...observability, accessToken: `${accessToken}-too` }
  })
  const { _id: id } = await done(server, 'createWebhook', { params: inShop, body: webhook })
  await done(server, 'updateWebhook', { params: { project, id }, body: { url: `${webhook.url}&more` } })
  const { sdkKeys } = await done(server, 'createEnvironment', {
    params: inShop,
    body: { key: 'qa', name: 'QA', type: 'staging' }
  })
  const sdk = { project, environment: 'qa' }
  await done(server, 'generateSdkKeys', { params: sdk, body: { server: true } })
  await done(server, 'invalidateSdkKey', { params: { ...sdk, key: sdkKeys.server[0].key } })
  await done(server, 'deleteEnvironment', { params: { project, key: 'qa' } })
  const text = await textOf(server)
  expect(text.match(/"type":"/g)?.length).toBeGreaterThan(10)
  for (const secret of [...secrets, token, sdkKeys.server[0].key, sdkKeys.client[0].key]) {
    expect(text).not.toMatch(secret)
  }
})
