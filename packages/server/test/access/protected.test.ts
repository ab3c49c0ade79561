// Long because of its table: a row for every kind of request that can affect production users.

import { type Operations, operations, type Permission } from '@burgee/contract'
import { type ApiResponse, type Call, call } from '@burgee/testing/harness'
import { sample } from '@burgee/testing/scale'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { isAllowed, type RoleHolder } from '../support/access/expectedAccess.ts'
import { type Caller, callersIn, type RoleMatrix, serveRoleMatrix } from '../support/access/roleMatrix.ts'
import { serving } from '../support/features.ts'

/** The permission that a request requires beyond that of its operation, in an environment of this kind. */
type Rule = (isProtected: boolean, mode: RoleHolder['mode']) => Permission | false

const publishWhereProtected: Rule = (isProtected) => isProtected && 'feature:publish'
/** In full mode it applies to any configuration of a protected environment; otherwise to active ones. */
const publishWhereInFull: Rule = (isProtected, mode) => isProtected && mode === 'full' && 'feature:publish'
const publishAnyway: Rule = () => 'feature:publish'
const nothingMore: Rule = () => false
const writeSettings: Rule = () => 'project:write:settings'
const ownWhereBasic: Rule = (_, mode) => (mode === 'basic' ? 'organization:write:settings' : 'project:write:settings')

/** A single operation on an item created for it. */
interface Row {
  readonly what: string
  readonly operation: keyof Operations
  /** The permission of the operation. */
  readonly takes: Permission
  readonly more: Rule
  /** Creates the item; returns the request. */
  readonly request: (make: Makers, environment: string, type: string) => Promise<Call>
}

/** Creates items in the project `shop` as the administrator. */
interface Makers {
  readonly key: () => string
  readonly environment: (type: string) => Promise<string>
  /** A feature of two variations: on in this environment only, or in none. */
  readonly feature: (liveIn?: string, status?: string) => Promise<string>
  readonly ask: (id: keyof Operations, given: Call) => Promise<ApiResponse>
}

const project = 'shop'
const on = { status: 'active', targets: [serving('variation-on')] }
const off = { targets: [serving('variation-off')] }
const swapped = (key: string) => [
  { key: 'variation-on', name: 'On', variables: { [key]: false } },
  { key: 'variation-off', name: 'Off', variables: { [key]: true } }
]

const rows: readonly Row[] = [
  {
    what: 'making an environment',
    operation: 'createEnvironment',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ key }, _, type) => ({ params: { project }, body: { key: key(), name: 'New', type } })
  },
  {
    what: 'changing an environment',
    operation: 'updateEnvironment',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment }, _, type) => {
      return { params: { project, key: await environment(type) }, body: { color: '#123456' } }
    }
  },
  {
    what: 'giving an environment this type',
    operation: 'updateEnvironment',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment }, _, type) => {
      return { params: { project, key: await environment('staging') }, body: { type } }
    }
  },
  {
    what: 'taking this type from an environment',
    operation: 'updateEnvironment',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment }, _, type) => {
      return { params: { project, key: await environment(type) }, body: { type: 'staging' } }
    }
  },
  {
    what: 'deleting an environment',
    operation: 'deleteEnvironment',
    takes: 'environment:delete',
    more: publishWhereProtected,
    request: async ({ environment }, _, type) => ({ params: { project, key: await environment(type) } })
  },
  {
    what: 'generating SDK keys',
    operation: 'generateSdkKeys',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment }, _, type) => {
      return { params: { project, environment: await environment(type) }, body: { server: true } }
    }
  },
  {
    what: 'restricting an SDK key',
    operation: 'updateSdkKey',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment, ask }, _, type) => {
      const params = { project, environment: await environment(type) }
      const { body } = await ask('generateSdkKeys', { params, body: { server: true } })
      const { key } = body.sdkKeys.server[0]
      return { params: { ...params, key }, body: { allowedNetworks: ['192.0.2.0/24'] } }
    }
  },
  {
    what: 'invalidating an SDK key',
    operation: 'invalidateSdkKey',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment, ask }, _, type) => {
      const params = { project, environment: await environment(type) }
      const { body } = await ask('generateSdkKeys', { params, body: { server: true } })
      return { params: { ...params, key: body.sdkKeys.server[0].key } }
    }
  },
  ...(['listUserSigningSecrets', 'createUserSigningSecret'] as const).map(
    (operation): Row => ({
      what: `${operation === 'createUserSigningSecret' ? 'adding' : 'reading'} a user signing secret`,
      operation,
      takes: 'environment:write',
      more: publishWhereProtected,
      request: async ({ environment }, _, type) => ({ params: { project, environment: await environment(type) } })
    })
  ),
  {
    what: 'removing a user signing secret',
    operation: 'deleteUserSigningSecret',
    takes: 'environment:write',
    more: publishWhereProtected,
    request: async ({ environment, ask }, _, type) => {
      const params = { project, environment: await environment(type) }
      const { body } = await ask('createUserSigningSecret', { params })
      return { params: { ...params, id: body._id } }
    }
  },
  ...(['updateFeature', 'updateFeatureV1', 'updateFeatureConfiguration'] as const).flatMap((operation): Row[] => {
    const configuring = (what: string, more: Rule, isLive: boolean, configuration: object): Row => ({
      what: `${what}, by ${operation}`,
      operation,
      takes: 'feature:write',
      more,
      request: async ({ feature }, environment) => {
        const params = { project, feature: await feature(isLive ? environment : undefined) }
        return operation === 'updateFeatureConfiguration'
          ? { params, query: { environment }, body: configuration }
          : { params, body: { configurations: { [environment]: configuration } } }
      }
    })
    return [
      configuring('preparing targets', publishWhereInFull, false, off),
      configuring('turning on', publishWhereProtected, false, on),
      configuring('changing targets that are on', publishWhereProtected, true, off),
      configuring('turning off', publishWhereProtected, true, { status: 'inactive' })
    ]
  }),
  ...(['createFeature', 'createFeatureV1', 'createFeatures'] as const).flatMap((operation): Row[] => {
    const making = (what: string, more: Rule, configuration?: object): Row => ({
      what: `${what}, by ${operation}`,
      operation,
      takes: 'feature:write',
      more,
      request: async ({ key }, environment) => {
        const configurations = configuration ? { configurations: { [environment]: configuration } } : {}
        const body = { key: key(), name: 'New', ...configurations }
        return { params: { project }, body: operation === 'createFeatures' ? [body] : body }
      }
    })
    return [
      making('making a feature that is on', publishWhereProtected, on),
      making('making a feature with targets', publishWhereInFull, off),
      making('making a feature', nothingMore)
    ]
  }),
  {
    what: 'renaming a feature that is on',
    operation: 'updateFeature',
    takes: 'feature:write',
    more: nothingMore,
    request: async ({ feature }, environment) => {
      return { params: { project, feature: await feature(environment) }, body: { name: 'Another', tags: ['new'] } }
    }
  },
  {
    what: 'changing the variations of a feature that is on',
    operation: 'updateFeature',
    takes: 'feature:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => {
      const key = await feature(environment)
      return { params: { project, feature: key }, body: { variations: swapped(key) } }
    }
  },
  {
    what: 'changing the variations of a feature that is off',
    operation: 'updateFeature',
    takes: 'feature:write',
    more: nothingMore,
    request: async ({ feature }) => {
      const key = await feature()
      return { params: { project, feature: key }, body: { variations: swapped(key) } }
    }
  },
  {
    what: 'hiding a feature that is on',
    operation: 'updateFeature',
    takes: 'feature:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => {
      const body = { sdkVisibility: { mobile: false, client: false, server: true } }
      return { params: { project, feature: await feature(environment) }, body }
    }
  },
  ...[{ optInEnabled: true }, { publicName: 'New' }, { publicDescription: 'New.' }].map(
    (settings): Row => ({
      what: `changing ${Object.keys(settings)[0]} of a feature that is on`,
      operation: 'updateFeature',
      takes: 'feature:write',
      more: publishWhereProtected,
      request: async ({ feature }, environment) => {
        return { params: { project, feature: await feature(environment) }, body: { settings } }
      }
    })
  ),
  {
    what: 'enabling opt-in of a feature that is off',
    operation: 'updateFeature',
    takes: 'feature:write',
    more: nothingMore,
    request: async ({ feature }) => {
      return { params: { project, feature: await feature() }, body: { settings: { optInEnabled: true } } }
    }
  },
  {
    what: 'adding a variation to a feature that is on',
    operation: 'createVariation',
    takes: 'variation:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => {
      return { params: { project, feature: await feature(environment) }, body: { key: 'third', name: 'Third' } }
    }
  },
  {
    what: 'changing a variation of a feature that is on',
    operation: 'updateVariation',
    takes: 'variation:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => {
      const key = await feature(environment)
      return { params: { project, feature: key, key: 'variation-on' }, body: { variables: { [key]: false } } }
    }
  },
  {
    what: 'adding a variable to a feature that is on',
    operation: 'createVariable',
    takes: 'variable:write',
    more: publishWhereProtected,
    request: async ({ feature, key }, environment) => {
      const body = { key: key(), type: 'String', _feature: await feature(environment) }
      return { params: { project }, body }
    }
  },
  {
    what: 'changing a variable of a feature that is on',
    operation: 'updateVariable',
    takes: 'variable:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => {
      return { params: { project, key: await feature(environment) }, body: { description: 'New.' } }
    }
  },
  {
    what: 'changing a variable of a feature that is off',
    operation: 'updateVariable',
    takes: 'variable:write',
    more: nothingMore,
    request: async ({ feature }) => ({ params: { project, key: await feature() }, body: { description: 'New.' } })
  },
  ...(['updateFeatureStatus', 'updateFeatureStatusV1'] as const).flatMap((operation): Row[] => [
    {
      what: `completing a feature, by ${operation}`,
      operation,
      takes: 'feature:write',
      more: publishAnyway,
      request: async ({ feature }) => {
        return {
          params: { project, feature: await feature() },
          body: { status: 'complete', staticVariation: 'variation-on' }
        }
      }
    },
    {
      what: `archiving a feature, by ${operation}`,
      operation,
      takes: 'feature:write',
      more: publishAnyway,
      request: async ({ feature }) => ({ params: { project, feature: await feature() }, body: { status: 'archived' } })
    },
    {
      what: `taking a complete feature back to work, by ${operation}`,
      operation,
      takes: 'feature:write',
      more: nothingMore,
      request: async ({ feature }, environment) => {
        return { params: { project, feature: await feature(environment, 'complete') }, body: { status: 'active' } }
      }
    }
  ]),
  ...(['updateStaticConfiguration', 'updateStaticConfigurationV1'] as const).flatMap((operation): Row[] => [
    {
      what: `changing served values, by ${operation}`,
      operation,
      takes: 'feature:write',
      more: publishWhereProtected,
      request: async ({ feature }, environment) => {
        const key = await feature(environment, 'complete')
        return { params: { project, feature: key }, body: { variables: { [key]: false } } }
      }
    },
    {
      what: `turning served values off, by ${operation}`,
      operation,
      takes: 'feature:write',
      more: publishWhereProtected,
      request: async ({ feature }, environment) => {
        const body = { environments: { [environment]: 'inactive' } }
        return { params: { project, feature: await feature(environment, 'complete') }, body }
      }
    }
  ]),
  {
    what: 'killing a feature that is on',
    operation: 'killFeature',
    takes: 'feature:write',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => ({ params: { project, feature: await feature(environment) } })
  },
  {
    what: 'taking back that a feature was turned off',
    operation: 'revertFeature',
    takes: 'feature:write',
    more: publishWhereProtected,
    request: async ({ feature, ask }, environment) => {
      const params = { project, feature: await feature(environment) }
      await ask('killFeature', { params })
      const { body } = await ask('getFeatureAudit', { params })
      return { params: { ...params, entry: body[0]._id } }
    }
  },
  {
    what: 'deleting a feature that is on',
    operation: 'deleteFeature',
    takes: 'feature:delete',
    more: publishWhereProtected,
    request: async ({ feature }, environment) => ({ params: { project, feature: await feature(environment) } })
  },
  {
    what: 'asking for approvals',
    operation: 'updateProjectSettings',
    takes: 'feature:publish',
    more: writeSettings,
    request: async () => {
      const settings = { disablePassthroughRollouts: false, featureApprovalWorkflow: { enabled: false } }
      return { params: { key: project }, body: { settings } }
    }
  },
  {
    what: 'changing settings with the project',
    operation: 'updateProject',
    takes: 'project:write',
    more: writeSettings,
    request: async () => ({ params: { key: project }, body: { settings: { edgeDB: { enabled: false } } } })
  },
  ...(['updateProjectSettings', 'updateProtectedSettings'] as const).map(
    (operation): Row => ({
      what: `saying whether features get stale, by ${operation}`,
      operation,
      takes: operation === 'updateProjectSettings' ? 'feature:publish' : 'project:write:settings',
      more: ownWhereBasic,
      request: async ({ ask }) => {
        const { body } = await ask('getProject', { params: { key: project } })
        const staleness = { enabled: !body.settings.staleness.enabled }
        const others =
          operation === 'updateProjectSettings'
            ? { disablePassthroughRollouts: false }
            : { featureApprovalWorkflow: {} }
        return { params: { key: project }, body: { settings: { ...others, staleness } } }
      }
    })
  )
]

/**
 * The callers: those who can read the project; and either clients or users, who have equal rights. The matrix of roles
 * covers the rest, and that everyone may do everything in flat mode.
 */
function those(mode: RoleHolder['mode']): readonly Caller[] {
  return callersIn(mode).filter((caller) => {
    const isKnown = isAllowed(caller, 'project:read', 'shop')
    return isKnown && (caller.lacks || caller.isClient === (mode === 'full'))
  })
}

function isOfEnvironments(id: keyof Operations): boolean {
  return operations[id].tag === 'Environments'
}

function expectedOf(holder: RoleHolder, { takes, more }: Row, isProtected: boolean): string {
  if (!isAllowed(holder, takes, 'shop')) return `403 this operation requires the permission ${takes}`
  const wanted = more(isProtected, holder.mode)
  // Owners of an organization still require the permission.
  const needed = wanted === 'organization:write:settings' ? (['project:write:settings', wanted] as const) : [wanted]
  const lacking = needed.find((permission) => permission && !isAllowed(holder, permission, 'shop'))
  return lacking ? `403 this operation requires the permission ${lacking}` : 'done'
}

function outcomeOf({ status, body }: ApiResponse): string {
  return status === 200 || status === 201 ? 'done' : `${status} ${body?.message}`
}

describe.each(['full', 'basic'] as const)('in mode %s', (mode) => {
  let matrix: RoleMatrix
  let count = 0
  const keyOf = ({ name }: Caller) => matrix.tokens.get(name) ?? ''
  const ask: Makers['ask'] = async (id, given) => {
    const answer = await call(matrix.server, id, given)
    expect([id, [200, 201].includes(answer.status), answer.body?.message]).toEqual([id, true, undefined])
    return answer
  }
  const key = () => `made-${++count}`
  const make: Makers = {
    key,
    ask,
    environment: async (type) => {
      return (await ask('createEnvironment', { params: { project }, body: { key: key(), name: 'Made', type } })).body
        .key
    },
    feature: async (liveIn, status) => {
      const configurations = liveIn === undefined ? {} : { [liveIn]: on }
      const { body } = await ask('createFeature', {
        params: { project },
        body: { key: key(), name: 'Made', configurations }
      })
      if (status) {
        const done = { status, ...(status === 'complete' ? { staticVariation: 'variation-on' } : {}) }
        await ask('updateFeatureStatus', { params: { project, feature: body.key }, body: done })
      }
      return body.key
    }
  }

  beforeAll(async () => {
    matrix = await serveRoleMatrix(mode)
    const body = { key: 'recovery', name: 'Recovery', type: 'disaster_recovery' }
    await ask('createEnvironment', { params: { project }, body })
  })

  /** Deletes the created item, so that the project does not grow with the tests. */
  afterEach(async () => {
    const made = ({ key }: { key: string }) => key.startsWith('made-')
    const all = { params: { project }, query: { perPage: 1000 } }
    for (const { key: feature } of (await ask('listFeatures', all)).body.filter(made)) {
      await ask('deleteFeature', { params: { project, feature }, query: { deleteVariables: true } })
    }
    for (const { key } of (await ask('listEnvironments', all)).body.filter(made)) {
      await ask('deleteEnvironment', { params: { project, key } })
    }
  })

  const kinds = [
    ['production', 'production'],
    ['recovery', 'disaster_recovery'],
    ['development', 'development']
  ] as const

  describe.each(kinds)('in %s', (environment, type) => {
    // Environments of either kind are protected alike; operations on features are tested in one.
    const asked = type === 'disaster_recovery' ? rows.filter(({ operation }) => isOfEnvironments(operation)) : rows

    test.each(sample(asked, Math.ceil(asked.length / 4), `rows in mode ${mode} ${environment}`))(
      '$what requires permission',
      async (row) => {
        const isProtected = type !== 'development'
        let request: Call | undefined
        const [expected, answered]: Record<string, string>[] = [{}, {}]
        for (const caller of sample(those(mode), 1, `${mode} ${environment} ${row.what}`)) {
          // A refused request changes nothing, so the next caller can send the same.
          request ??= await row.request(make, environment, type)
          const wanted = expectedOf(caller, row, isProtected)
          const outcome = outcomeOf(await call(matrix.server, row.operation, { ...request, key: keyOf(caller) }))
          Object.assign(expected ?? {}, { [caller.name]: wanted })
          Object.assign(answered ?? {}, { [caller.name]: outcome })
          if (outcome === 'done') request = undefined
        }
        expect(answered).toEqual(expected)
      }
    )

    it('shows its SDK keys to callers who may change it, and to all its readers if it is not protected', async () => {
      const readers = those(mode).filter((each) => isAllowed(each, 'environment:read', 'shop'))
      for (const caller of sample(readers, 2, `${mode} ${environment} SDK keys`)) {
        const params = { project, key: environment }
        const { status, body } = await call(matrix.server, 'getEnvironment', { params, key: keyOf(caller) })
        const mayChange = isAllowed(caller, 'environment:write', 'shop') && isAllowed(caller, 'feature:publish', 'shop')
        const isShown = type === 'development' || mayChange
        expect([caller.name, status, 'sdkKeys' in body]).toEqual([caller.name, 200, isShown])
        const list = await call(matrix.server, 'listEnvironments', { params: { project }, key: keyOf(caller) })
        const listed = list.body.find((each: ApiResponse['body']) => each.key === environment)
        expect([caller.name, listed]).toEqual([caller.name, body])
      }
    })

    it('marks everything that the caller may not change as readonly', async () => {
      const live = await make.feature(environment)
      const idle = await make.feature()
      const done = await make.feature(environment, 'complete')
      const { body: audience } = await ask('createAudience', {
        params: { project },
        body: { key: key(), name: 'Made', filters: { operator: 'and', filters: [{ type: 'all' }] } }
      })
      const at = (feature: string) => ({ params: { project, feature } })
      const inEnvironment = { query: { environment } }
      const things: readonly (readonly [read: keyof Operations, write: keyof Operations, given: Call, body: object])[] =
        [
          ['getProject', 'updateProject', { params: { key: project } }, { description: 'x' }],
          ['getEnvironment', 'updateEnvironment', { params: { project, key: environment } }, { description: 'x' }],
          ['getFeature', 'updateFeature', at(live), { description: 'x' }],
          ['getStaticConfiguration', 'updateStaticConfiguration', at(done), { description: 'x' }],
          ['getAudience', 'updateAudience', { params: { project, key: audience.key } }, { description: 'x' }],
          ['listFeatureConfigurations', 'updateFeatureConfiguration', { ...at(live), ...inEnvironment }, on],
          ['listFeatureConfigurations', 'updateFeatureConfiguration', { ...at(idle), ...inEnvironment }, off]
        ]
      const readers = those(mode).filter((each) => isAllowed(each, 'feature:read', 'shop'))
      for (const caller of sample(readers, 2, `${mode} ${environment} readonly`)) {
        for (const [read, write, given, body] of things) {
          const shown = await call(matrix.server, read, { ...given, key: keyOf(caller) })
          const { readonly } = [shown.body].flat()[0]
          const change = 'description' in body ? { description: `Of ${caller.name}.` } : body
          const { status } = await call(matrix.server, write, { ...given, body: change, key: keyOf(caller) })
          expect([caller.name, read, given.params, readonly]).toEqual([caller.name, read, given.params, status === 403])
        }
      }
    })
  })
})
