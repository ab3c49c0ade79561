import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, keyOf } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { formatDocument } from '../../../src/storage/lowdb/document/storeDocument.ts'

// The stored format of the first version of Burgee, written out: it does not depend on later types and builders.

const at = '2026-01-30T12:00:00.000Z'
const _project = idOf('shop')
const all = { operator: 'and', filters: [{ type: 'all' }] }

/** A store directory of schema version 1. */
export async function version1Directory(): Promise<string> {
  const directory = join(await temporaryDirectory(), 'store')
  await mkdir(directory)
  await writeFile(join(directory, 'db.json'), version1Document)
  await writeFile(join(directory, 'users.jsonl'), version1Users)
  await writeFile(join(directory, 'burgee.store'), 'A Burgee store lives in this directory.\n')
  return directory
}

const data = {
  projects: [
    {
      ...stamped('shop'),
      key: 'shop',
      name: 'Shop',
      _organization: 'org_first',
      settings: {
        edgeDB: { enabled: true },
        optIn: { enabled: true, title: 'Early access', colors: { primary: '#1d4ed8', secondary: '#fff' } },
        sdkTypeVisibility: { enabledInFeatureSettings: true },
        disablePassthroughRollouts: false
      }
    }
  ],
  environments: [environment('production', { ofrepOffValues: true }), environment('staging', {})],
  features: [
    feature('checkout', 'release', 'active', { on: { checkout: true }, off: { checkout: false } }),
    feature('pricing', 'experiment', 'active', {
      control: { price: 'Price', discount: 0 },
      ten: { price: 'Your price', discount: 10 },
      twenty: { price: 'Special offer', discount: 20 }
    }),
    {
      ...feature('ended', 'release', 'complete', { old: { ended: 'old' }, new: { ended: 'new' } }),
      staticVariation: 'new'
    },
    feature('gone', 'ops', 'archived', { on: { gone: true } }),
    feature('layout', 'ops', 'active', {
      compact: { layout: { columns: 1 } },
      wide: { layout: { columns: 3, rows: [] } }
    }),
    {
      ...feature('beta', 'permission', 'active', { in: { beta: true }, out: { beta: false } }),
      settings: { optInEnabled: true, publicName: 'Try the beta', publicDescription: 'It is new.' },
      sdkVisibility: { server: true, client: true, mobile: false }
    }
  ],
  configurations: ['production', 'staging'].flatMap((name) => [
    configuration('checkout', name, 'active', [
      target('checkout', 0, [{ type: 'user', subType: 'country', comparator: '=', values: ['CA'] }], { on: 1 }),
      target('checkout', 1, [{ type: 'all' }], { off: 1 })
    ]),
    configuration('pricing', name, 'active', [
      {
        ...target('pricing', 0, [{ type: 'all' }], { control: 0.5, ten: 0.25, twenty: 0.25 }),
        rollout: {
          type: 'gradual',
          startDate: '2026-02-22T12:00:00.000Z',
          startPercentage: 0,
          stages: [{ type: 'linear', date: '2026-03-08T12:00:00.000Z', percentage: 1 }]
        }
      }
    ]),
    // Its targets predate its completion, after which all users get the old variation.
    configuration('ended', name, name === 'production' ? 'active' : 'inactive', [
      target('ended', 0, [{ type: 'all' }], { old: 1 })
    ]),
    configuration('gone', name, 'active', [target('gone', 0, [{ type: 'all' }], { on: 1 })]),
    configuration('layout', name, 'active', [
      target('layout', 0, [{ type: 'audienceMatch', comparator: '=', _audiences: [idOf('staff')] }], { wide: 1 }),
      target('layout', 1, [{ type: 'all' }], { compact: 1 })
    ]),
    configuration('beta', name, 'active', [target('beta', 0, [{ type: 'optIn' }], { in: 1 })])
  ]),
  variables: [
    variable('checkout', 'Boolean', 'checkout'),
    variable('price', 'String', 'pricing'),
    variable('discount', 'Number', 'pricing'),
    variable('ended', 'String', 'ended'),
    variable('gone', 'Boolean', 'gone', 'archived'),
    variable('layout', 'JSON', 'layout'),
    variable('beta', 'Boolean', 'beta'),
    variable('spare', 'String'),
    variable('put-away', 'String', undefined, 'archived')
  ],
  audiences: [
    {
      ...stamped('staff'),
      _project,
      key: 'staff',
      name: 'Staff',
      description: 'Everybody who works here.',
      filters: {
        operator: 'or',
        filters: [{ type: 'user', subType: 'email', comparator: 'endWith', values: ['@shop.example'] }]
      },
      tags: ['people']
    },
    { ...stamped('everybody'), _project, key: 'everybody', name: 'Everybody', filters: all, tags: [] }
  ]
}

/** The flag data of that store. */
export const version1Document = formatDocument({ schemaVersion: 1, revision: 7, historyLength: 0, data }).replace(
  // Version 1 had no history.
  '"historyLength":0,',
  ''
)

/** The user data of that store: one user with stored data, and one with an opt-in. */
const version1Users = [
  [{ put: 'edgeUsers', item: { ...stamped('user kim'), _project, user_id: 'kim', country: 'CA' } }],
  [
    {
      put: 'optIns',
      item: {
        ...stamped('opt-in of lee'),
        _environment: idOf('production'),
        user_id: 'lee',
        choices: { [idOf('beta')]: true }
      }
    }
  ]
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

function stamped(name: string) {
  return { _id: idOf(name), createdAt: at, updatedAt: at }
}

function environment(key: string, settings: object) {
  const keys = (type: 'server' | 'client' | 'mobile') => [{ key: keyOf(type, key), createdAt: at, compromised: false }]
  const sdkKeys = { server: keys('server'), client: keys('client'), mobile: keys('mobile') }
  return { ...stamped(key), _project, key, name: key, type: key, sdkKeys, settings }
}

function feature(key: string, type: string, status: string, variations: Record<string, Record<string, unknown>>) {
  return {
    ...stamped(key),
    _project,
    key,
    name: `The ${key}`,
    type,
    status,
    settings: { optInEnabled: false, publicName: '', publicDescription: '' },
    sdkVisibility: { server: true, client: true, mobile: true },
    variations: Object.entries(variations).map(([variation, values]) => ({
      _id: idOf(`${key} ${variation}`),
      key: variation,
      name: variation,
      variables: Object.entries(values).map(([name, value]) => ({ _var: idOf(`variable ${name}`), value }))
    })),
    tags: ['first']
  }
}

function configuration(key: string, name: string, status: string, targets: object[]) {
  return { ...stamped(`${key} in ${name}`), _project, _feature: idOf(key), _environment: idOf(name), status, targets }
}

function target(carrier: string, index: number, filters: object[], serves: Record<string, number>) {
  return {
    _id: idOf(`target ${carrier} ${index}`),
    name: `${carrier} ${index}`,
    audience: { filters: { operator: 'and', filters } },
    distribution: Object.entries(serves).map(([variation, percentage]) => {
      return { _variation: idOf(`${carrier} ${variation}`), percentage }
    })
  }
}

function variable(key: string, type: string, carrier?: string, status = 'active') {
  const _feature = carrier === undefined ? {} : { _feature: idOf(carrier) }
  return { ...stamped(`variable ${key}`), _project, ..._feature, key, name: key, type, status, tags: [] }
}
