import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, keyOf } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { formatDocument } from '../../../src/storage/lowdb/document/storeDocument.ts'

// The stored format of the second version of Burgee, written out: it does not depend on later types and builders.

const at = '2026-02-10T12:00:00.000Z'

/** The administrator client of that store. */
export const version2Client = { client_id: 'ops', client_secret: 'the-secret-of-the-tests' }

/** A store directory of schema version 2: a project with one environment, and a client. */
export async function version2Directory(): Promise<string> {
  const directory = join(await temporaryDirectory(), 'store')
  await mkdir(directory)
  await writeFile(join(directory, 'db.json'), formatDocument({ schemaVersion: 2, revision: 5, historyLength: 0, data }))
  await writeFile(join(directory, 'users.jsonl'), '')
  await writeFile(join(directory, 'burgee.store'), 'A Burgee store lives in this directory.\n')
  return directory
}

const off = { enabled: false }
const on = { enabled: true }

const data = {
  organizations: [{ ...stamped('organization'), key: 'org_first', name: 'burgee', displayName: 'Burgee' }],
  clients: [
    {
      ...stamped('client'),
      _organization: 'org_first',
      clientId: version2Client.client_id,
      name: 'Administrator',
      secretVerifier: 'scrypt$14$8$1$ObmlLNlEj8_A7b_G8ZKuYA$PpTUFfQXYooi7v9TlNDKsjhxQGD8TLqbAL35f4R9AYY',
      permissions: [
        'organization:read:settings',
        'organization:write:settings',
        'project:read',
        'project:write',
        'environment:read',
        'feature:read',
        'feature:write'
      ]
    }
  ],
  signingKeys: [],
  projects: [
    {
      ...stamped('shop'),
      key: 'shop',
      name: 'Shop',
      _organization: 'org_first',
      settings: {
        edgeDB: off,
        optIn: off,
        sdkTypeVisibility: { enabledInFeatureSettings: false },
        disablePassthroughRollouts: false,
        lifeCycle: { disableCodeRefChecks: false },
        obfuscation: { enabled: false, required: false },
        observability: { enabled: false, environmentMap: {} },
        featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
        staleness: {
          ...off,
          released: on,
          unmodifiedLong: on,
          unmodifiedShort: on,
          unused: on,
          email: { ...off, frequency: 'weekly', users: [] }
        }
      }
    }
  ],
  environments: [
    {
      ...stamped('production'),
      _project: idOf('shop'),
      key: 'production',
      name: 'Production',
      type: 'production',
      sdkKeys: Object.fromEntries(
        (['server', 'client', 'mobile'] as const).map((type) => {
          return [type, [{ key: keyOf(type, 'production'), createdAt: at, compromised: false }]]
        })
      ),
      settings: {}
    }
  ],
  ...Object.fromEntries(
    [
      'features',
      'configurations',
      'variables',
      'audiences',
      'customProperties',
      'metrics',
      'metricAssociations',
      'profiles',
      'overrides',
      'webhooks',
      'observabilityEnvironments',
      'issueTrackers',
      'issueLinks',
      'changeRequests'
    ].map((collection) => [collection, []])
  )
}

function stamped(name: string) {
  return { _id: idOf(name), createdAt: at, updatedAt: at }
}
