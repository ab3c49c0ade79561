import { beforeAll, expect, it } from 'vitest'
import { manifest } from '../../src/manifest/manifest.ts'
import { createProgram } from '../../src/program.ts'
import { outputSchema } from '../../src/schemas/outputSchema.ts'
import { withoutSchema } from '../../src/schemas/programSchemas.ts'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop({ features: [{ key: 'search' }] })
  await shop.write('files/search.yaml', 'burgee: 1\nproject: shop\nfeatures: { search: { name: Found } }\n')
})

const operations = new Set(manifest().map(({ name }) => name))

it('every hand-made command has a schema of its JSON output, or a reason for none', () => {
  const names = createProgram()
    .commands.map(({ name }) => name)
    .filter((name) => !operations.has(name) && !/^(help|completion) /.test(name))
  const missing = names.filter((name) => {
    if (name in withoutSchema) return false
    try {
      return outputSchema(name) === undefined
    } catch {
      return true
    }
  })
  expect(missing).toEqual([])
})

// `runHere` compares the output of every command with its schema.
it.each([
  'whoami',
  'use work --server https://flags.example.com',
  'profiles list',
  'logout --server https://flags.example.com',
  'doctor -e development',
  'init --project shop --environment development',
  'flags list',
  'flags create new-flag',
  'flags create other-flag --dry-run',
  'flags show search',
  'flags on new-flag -e development --serve variation-on',
  'rollout new-flag -e development --to 20',
  'serve new-flag variation-off -e development',
  'flags off new-flag -e development',
  'flags off new-flag -e development',
  'history new-flag',
  'undo new-flag --yes',
  'explain search -e development --user ada',
  'explain -e development --user ada',
  'evaluate search -e development --user ada',
  'compare --from development --to production',
  'promote search --from development --to production --yes',
  'results search',
  'audit',
  'open search',
  'keys list -e development',
  'keys rotate --type server -e development --yes',
  'usages FLAGS',
  'scan FLAGS',
  'scan FLAGS --upload --repo acme/shop --branch main',
  'cleanup search FLAGS --value true',
  'types --out FLAGS/flags.ts',
  'plan FLAGS/files',
  'plan FLAGS/files --preview',
  'apply FLAGS/files --yes',
  'pull FLAGS/files',
  'export --out FLAGS/exported',
  'export --format json',
  'import FLAGS/exported --into copy --create-project --yes',
  'dev set search true --overrides FLAGS/overrides.yaml',
  'dev list --overrides FLAGS/overrides.yaml',
  'dev unset search --overrides FLAGS/overrides.yaml',
  'commands',
  'flags kill search --yes'
])('burgee %s prints what its schema describes', async (line) => {
  const { code, stdout, stderr } = await shop.run(`${line} --json`)
  expect([code, stderr]).toEqual([expect.toBeOneOf([0, 1]), expect.not.stringContaining('schema')])
  expect(JSON.parse(stdout)).toBeDefined()
})

it('burgee requests … print what their schemas describe', async () => {
  const body = { settings: { featureApprovalWorkflow: { enabled: true } } }
  await shop.ask('updateProtectedSettings', { params: { key: 'shop' }, body })
  const { changeRequest } = await shop.json('flags on search -e production --yes')
  expect(await shop.json('requests list')).toHaveLength(1)
  expect((await shop.json(`requests show ${changeRequest}`))._id).toBe(changeRequest)
  expect((await shop.json(`requests reject ${changeRequest} -m Later`)).status).toBe('rejected')
})
